/* Pairwright from C: Groth16 proofs of circom's circuits, and BLS signatures. The book has a page, "From C".
 *
 * Printed by `cargo run -p pairwright-ffi --example header`: change the sources and run `cargo x gen`.
 *
 * A function that can fail returns a status and leaves a message for pairwright_last_error. Functions that make something
 * write a handle to their last argument, which is null where they fail; each handle is freed once, by the function of its
 * type. Threads may use one handle at the same time. */

#ifndef PAIRWRIGHT_H
#define PAIRWRIGHT_H

#include <stddef.h>
#include <stdint.h>

/**
 * A flag for functions that read keys: accepts a key under which anybody can forge proofs, such as the first key of a
 * ceremony, to which nobody has contributed. Proofs that are accepted under such a key prove nothing.
 */
#define PAIRWRIGHT_ALLOW_UNSAFE_KEY 1

/**
 * The number of bytes of a public key.
 */
#define PAIRWRIGHT_BLS_PUBLIC_KEY_LENGTH 48

/**
 * The number of bytes of a signature, and of a proof of possession.
 */
#define PAIRWRIGHT_BLS_SIGNATURE_LENGTH 96

/**
 * The result of a call.
 */
typedef enum PairwrightStatus {
  /**
   * The call succeeded; of a verifier: the proof or signature is accepted.
   */
  PAIRWRIGHT_STATUS_OK = 0,
  /**
   * A proof or a signature is not accepted.
   */
  PAIRWRIGHT_STATUS_REJECTED = 1,
  /**
   * A file, bytes or an argument are not valid.
   */
  PAIRWRIGHT_STATUS_BAD_INPUT = 2,
  /**
   * A fault of the library or of the machine: there is no verdict.
   */
  PAIRWRIGHT_STATUS_INTERNAL = 3,
  /**
   * A pointer is null although it must not be.
   */
  PAIRWRIGHT_STATUS_NULL_POINTER = 4,
  /**
   * Anybody can forge proofs under the key. With the flag `PAIRWRIGHT_ALLOW_UNSAFE_KEY` it is accepted all the same.
   */
  PAIRWRIGHT_STATUS_UNSAFE_KEY = 5,
} PairwrightStatus;

/**
 * A secret key of BLS signatures. It is wiped when it is freed.
 */
typedef struct PairwrightBlsSecretKey PairwrightBlsSecretKey;

/**
 * Bytes that the library hands out. A zero byte follows them, so that text is a string of C.
 */
typedef struct PairwrightBuffer PairwrightBuffer;

/**
 * A Groth16 proof with its public values.
 */
typedef struct PairwrightProof PairwrightProof;

/**
 * A Groth16 proving key (.zkey).
 */
typedef struct PairwrightProvingKey PairwrightProvingKey;

/**
 * A Groth16 verification key, made ready for many proofs.
 */
typedef struct PairwrightVerifyingKey PairwrightVerifyingKey;

/**
 * A witness (.wtns). Its values are wiped when it is freed.
 */
typedef struct PairwrightWitness PairwrightWitness;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The message of the last call on this thread that returned a status. It describes the fault; for a file it names file,
 * section and offset, or the member of a JSON document. It is empty after a call that succeeded, and never null. The string is
 * valid until the next such call on this thread.
 */
const char *pairwright_last_error(void);

/**
 * The version of the library, such as "0.1.0".
 */
const char *pairwright_version(void);

/**
 * The bytes of a buffer, null for a null buffer. They stay until it is freed.
 *
 * What the caller promises:
 * The buffer is null or not freed.
 */
const uint8_t *pairwright_buffer_data(const struct PairwrightBuffer *buffer);

/**
 * The number of bytes in a buffer, without the zero byte that follows them; 0 for a null buffer.
 *
 * What the caller promises:
 * The buffer is null or not freed.
 */
size_t pairwright_buffer_length(const struct PairwrightBuffer *buffer);

/**
 * Frees a buffer; nothing is done for null.
 *
 * What the caller promises:
 * The buffer is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_buffer_free(struct PairwrightBuffer *buffer);

/**
 * Opens a proving key, a .zkey file of snarkjs. The file is mapped and not copied; it must stay as it is until the key is
 * freed. Whether its points are on the curve is not checked: a proof is verified before it is handed out.
 *
 * `flags` is 0 or PAIRWRIGHT_ALLOW_UNSAFE_KEY.
 *
 * What the caller promises:
 * `path` is null or ends in a zero byte; a pointer can be written to `key`.
 */
enum PairwrightStatus pairwright_proving_key_open(const char *path,
                                                  uint32_t flags,
                                                  struct PairwrightProvingKey **key);

/**
 * Reads a proving key from the bytes of a .zkey file, which are copied. For a large key, open its file.
 *
 * What the caller promises:
 * There are `length` bytes at `bytes`, which may be null if there are none; a pointer can be written to `key`.
 */
enum PairwrightStatus pairwright_proving_key_from_bytes(const uint8_t *bytes,
                                                        size_t length,
                                                        uint32_t flags,
                                                        struct PairwrightProvingKey **key);

/**
 * The name of a key's curve: "bn128", "bls12381" or "bls12377"; null for a null key. The string is never freed.
 *
 * What the caller promises:
 * The key is null or not freed.
 */
const char *pairwright_proving_key_curve(const struct PairwrightProvingKey *key);

/**
 * Precomputes multiples of the key's points, at most `multiples` of each, and writes the bytes of memory that they take to
 * `bytes`. Later proofs take fewer additions and do not read the key's points again. The precomputation takes as long as ten
 * to twenty proofs. With four multiples, sums over 2^16 points are up to 1.15 times as fast; where they would save nothing, as
 * beyond 2^19 points, none are kept.
 *
 * What the caller promises:
 * `key` is null or not freed; `bytes` is null, or a number can be written there.
 */
enum PairwrightStatus pairwright_proving_key_precompute(const struct PairwrightProvingKey *key,
                                                        size_t multiples,
                                                        uint64_t *bytes);

/**
 * Frees a proving key; nothing is done for null.
 *
 * What the caller promises:
 * The key is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_proving_key_free(struct PairwrightProvingKey *key);

/**
 * Opens a witness, a .wtns file of circom. The file is mapped: its bytes are not copied, and its values are read once.
 *
 * What the caller promises:
 * `path` is null or ends in a zero byte; a pointer can be written to `witness`.
 */
enum PairwrightStatus pairwright_witness_open(const char *path, struct PairwrightWitness **witness);

/**
 * Reads a witness from the bytes of a .wtns file. The copy that is made of them is wiped before the function returns.
 *
 * What the caller promises:
 * There are `length` bytes at `bytes`, which may be null if there are none; a pointer can be written to `witness`.
 */
enum PairwrightStatus pairwright_witness_from_bytes(const uint8_t *bytes,
                                                    size_t length,
                                                    struct PairwrightWitness **witness);

/**
 * Wipes and frees a witness; nothing is done for null.
 *
 * What the caller promises:
 * The witness is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_witness_free(struct PairwrightWitness *witness);

/**
 * Writes a handle of the verification key that a proving key contains. Every point of it is checked.
 *
 * What the caller promises:
 * `key` is null or not freed; a pointer can be written to `verifying`.
 */
enum PairwrightStatus pairwright_verifying_key_of(const struct PairwrightProvingKey *key,
                                                  struct PairwrightVerifyingKey **verifying);

/**
 * Opens a verification key, the JSON file of snarkjs. Every point of it is checked.
 *
 * `flags` is 0 or PAIRWRIGHT_ALLOW_UNSAFE_KEY.
 *
 * What the caller promises:
 * `path` is null or ends in a zero byte; a pointer can be written to `key`.
 */
enum PairwrightStatus pairwright_verifying_key_open(const char *path,
                                                    uint32_t flags,
                                                    struct PairwrightVerifyingKey **key);

/**
 * Reads a verification key from snarkjs' JSON, as pairwright_verifying_key_open does.
 *
 * What the caller promises:
 * There are `length` bytes at `json`, which may be null if there are none; a pointer can be written to `key`.
 */
enum PairwrightStatus pairwright_verifying_key_from_json(const uint8_t *json,
                                                         size_t length,
                                                         uint32_t flags,
                                                         struct PairwrightVerifyingKey **key);

/**
 * Reads a verification key from the bytes of pairwright_verifying_key_bytes. They do not name their curve: `curve` is
 * "bn128", "bls12381" or "bls12377".
 *
 * What the caller promises:
 * `curve` is null or ends in a zero byte; there are `length` bytes at `bytes`, which may be null if there are none; a pointer
 * can be written to `key`.
 */
enum PairwrightStatus pairwright_verifying_key_from_bytes(const char *curve,
                                                          const uint8_t *bytes,
                                                          size_t length,
                                                          uint32_t flags,
                                                          struct PairwrightVerifyingKey **key);

/**
 * Writes a verification key as the JSON of snarkjs to a new buffer.
 *
 * What the caller promises:
 * `key` is null or not freed; a pointer can be written to `json`.
 */
enum PairwrightStatus pairwright_verifying_key_json(const struct PairwrightVerifyingKey *key,
                                                    struct PairwrightBuffer **json);

/**
 * Writes a verification key as bytes to a new buffer: compressed points in arkworks' format.
 *
 * What the caller promises:
 * `key` is null or not freed; a pointer can be written to `bytes`.
 */
enum PairwrightStatus pairwright_verifying_key_bytes(const struct PairwrightVerifyingKey *key,
                                                     struct PairwrightBuffer **bytes);

/**
 * The name of a key's curve, as pairwright_proving_key_curve gives it; null for a null key.
 *
 * What the caller promises:
 * The key is null or not freed.
 */
const char *pairwright_verifying_key_curve(const struct PairwrightVerifyingKey *key);

/**
 * The number of public values that proofs under a key have; 0 for a null key.
 *
 * What the caller promises:
 * The key is null or not freed.
 */
size_t pairwright_verifying_key_public(const struct PairwrightVerifyingKey *key);

/**
 * Frees a verification key; nothing is done for null.
 *
 * What the caller promises:
 * The key is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_verifying_key_free(struct PairwrightVerifyingKey *key);

/**
 * Proves that the witness satisfies the circuit of the key, on all cores, with randomness from the operating system. The proof
 * is verified before it is handed out; if the witness does not satisfy the circuit, no proof is handed out.
 *
 * What the caller promises:
 * `key` and `witness` are null or not freed; a pointer can be written to `proof`.
 */
enum PairwrightStatus pairwright_prove(const struct PairwrightProvingKey *key,
                                       const struct PairwrightWitness *witness,
                                       struct PairwrightProof **proof);

/**
 * Reads a proof and its public values from the JSON of snarkjs, for a key. A proof with a point that is not on its curve or
 * not in its subgroup is rejected here.
 *
 * What the caller promises:
 * `key` is null or not freed; there are `proof_length` bytes at `proof` and `public_length` bytes at `public_values`, which may
 * be null if there are none; a pointer can be written to `read`.
 */
enum PairwrightStatus pairwright_proof_from_json(const struct PairwrightVerifyingKey *key,
                                                 const uint8_t *proof,
                                                 size_t proof_length,
                                                 const uint8_t *public_values,
                                                 size_t public_length,
                                                 struct PairwrightProof **read);

/**
 * Reads a proof and its public values from the bytes of pairwright_proof_bytes and pairwright_proof_public_bytes, for a key.
 * A proof with a point that is not on its curve or not in its subgroup is rejected here.
 *
 * What the caller promises:
 * As pairwright_proof_from_json.
 */
enum PairwrightStatus pairwright_proof_from_bytes(const struct PairwrightVerifyingKey *key,
                                                  const uint8_t *proof,
                                                  size_t proof_length,
                                                  const uint8_t *public_values,
                                                  size_t public_length,
                                                  struct PairwrightProof **read);

/**
 * Writes the proof without its public values to a new buffer, as JSON with the same bytes as snarkjs.
 *
 * What the caller promises:
 * `proof` is null or not freed; a pointer can be written to `json`.
 */
enum PairwrightStatus pairwright_proof_json(const struct PairwrightProof *proof, struct PairwrightBuffer **json);

/**
 * Writes the public values of a proof to a new buffer, as JSON with the same bytes as snarkjs.
 *
 * What the caller promises:
 * `proof` is null or not freed; a pointer can be written to `json`.
 */
enum PairwrightStatus pairwright_proof_public_json(const struct PairwrightProof *proof, struct PairwrightBuffer **json);

/**
 * Writes the proof without its public values to a new buffer, as bytes: three compressed points in arkworks' format, 128 bytes
 * on BN254 and 192 bytes on the other curves.
 *
 * What the caller promises:
 * `proof` is null or not freed; a pointer can be written to `bytes`.
 */
enum PairwrightStatus pairwright_proof_bytes(const struct PairwrightProof *proof,
                                             struct PairwrightBuffer **bytes);

/**
 * Writes the public values of a proof to a new buffer, as bytes: 32 bytes for each value, little-endian.
 *
 * What the caller promises:
 * `proof` is null or not freed; a pointer can be written to `bytes`.
 */
enum PairwrightStatus pairwright_proof_public_bytes(const struct PairwrightProof *proof,
                                                    struct PairwrightBuffer **bytes);

/**
 * Frees a proof; nothing is done for null.
 *
 * What the caller promises:
 * The proof is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_proof_free(struct PairwrightProof *proof);

/**
 * Accepts a proof for its public values: PAIRWRIGHT_STATUS_OK, or PAIRWRIGHT_STATUS_REJECTED.
 *
 * What the caller promises:
 * `key` and `proof` are null or not freed.
 */
enum PairwrightStatus pairwright_verify(const struct PairwrightVerifyingKey *key, const struct PairwrightProof *proof);

/**
 * Accepts `count` proofs together, or rejects them and writes the index of the first proof that is not accepted to
 * `first_bad`; it writes `count` there if no proof is at fault. The verification equations are added with random
 * weights: a bad proof is accepted with probability at most 2^-127. An empty list is accepted.
 *
 * What the caller promises:
 * `key` is null or not freed, and so are the `count` proofs in the list `proofs`, which may be null if there are none;
 * `first_bad` is null, or a number can be written there.
 */
enum PairwrightStatus pairwright_batch_verify(const struct PairwrightVerifyingKey *key,
                                              const struct PairwrightProof *const *proofs,
                                              size_t count,
                                              size_t *first_bad);

/**
 * Makes a secret key from at least 32 secret bytes of high entropy, as KeyGen of the draft does (section 2.3).
 *
 * What the caller promises:
 * There are `length` bytes at `seed`; a pointer can be written to `key`.
 */
enum PairwrightStatus pairwright_bls_key_gen(const uint8_t *seed, size_t length, struct PairwrightBlsSecretKey **key);

/**
 * Wipes and frees a secret key; null is nothing to free.
 *
 * What the caller promises:
 * The key is null, or it is not freed yet and used by nobody any more.
 */
void pairwright_bls_secret_key_free(struct PairwrightBlsSecretKey *key);

/**
 * Writes the public key of a secret key: 48 bytes.
 *
 * What the caller promises:
 * `key` is null or not freed; 48 bytes can be written to `public_key`.
 */
enum PairwrightStatus pairwright_bls_public_key(const struct PairwrightBlsSecretKey *key, uint8_t *public_key);

/**
 * Signs a message: writes 96 bytes.
 *
 * What the caller promises:
 * `key` is null or not freed; there are `length` bytes at `message`, which may be null if there are none; 96 bytes can be
 * written to `signature`.
 */
enum PairwrightStatus pairwright_bls_sign(const struct PairwrightBlsSecretKey *key,
                                          const uint8_t *message,
                                          size_t length,
                                          uint8_t *signature);

/**
 * Accepts a signature of a message under a public key.
 *
 * What the caller promises:
 * There are 48 bytes at `public_key`, `length` at `message`, which may be null if there are none, and 96 at `signature`.
 */
enum PairwrightStatus pairwright_bls_verify(const uint8_t *public_key,
                                            const uint8_t *message,
                                            size_t length,
                                            const uint8_t *signature);

/**
 * Proves to know a secret key: writes 96 bytes, which pairwright_bls_verify_possession accepts.
 *
 * What the caller promises:
 * `key` is null or not freed; 96 bytes can be written to `proof`.
 */
enum PairwrightStatus pairwright_bls_prove_possession(const struct PairwrightBlsSecretKey *key, uint8_t *proof);

/**
 * Accepts the proof that the holder of a public key knows its secret key. Ask for it before a key is used in an aggregate.
 *
 * What the caller promises:
 * There are 48 bytes at `public_key` and 96 at `proof`.
 */
enum PairwrightStatus pairwright_bls_verify_possession(const uint8_t *public_key,
                                                       const uint8_t *proof);

/**
 * Adds up `count` signatures, of 96 bytes each and one after another, to one.
 *
 * What the caller promises:
 * There are 96 bytes for each of `count` signatures at `signatures`; 96 bytes can be written to `sum`.
 */
enum PairwrightStatus pairwright_bls_aggregate(const uint8_t *signatures, size_t count, uint8_t *sum);

/**
 * Accepts a sum of signatures, each of its own message under its own key.
 *
 * What the caller promises:
 * There are 48 bytes for each of `count` keys at `public_keys`, `count` messages in the list `messages` with their numbers of
 * bytes in the list `lengths`, and 96 bytes at `signature`. A message may be null if it has no bytes.
 */
enum PairwrightStatus pairwright_bls_aggregate_verify(const uint8_t *public_keys,
                                                      const uint8_t *const *messages,
                                                      const size_t *lengths,
                                                      size_t count,
                                                      const uint8_t *signature);

/**
 * Accepts a sum of signatures of one message under `count` keys. It is safe only if every key came with a proof of possession
 * that was accepted.
 *
 * What the caller promises:
 * There are 48 bytes for each of `count` keys at `public_keys`, `length` bytes at `message`, which may be null if there are
 * none, and 96 bytes at `signature`.
 */
enum PairwrightStatus pairwright_bls_fast_aggregate_verify(const uint8_t *public_keys,
                                                           size_t count,
                                                           const uint8_t *message,
                                                           size_t length,
                                                           const uint8_t *signature);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PAIRWRIGHT_H */
