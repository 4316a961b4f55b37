/* Proves that 3 solves x^3 + x + 5 = 35, verifies the proof, alone and with others, and sees a changed one refused.
 *
 *     cc -std=c99 -I crates/ffi/include crates/ffi/examples/cube.c -L target/release -lpairwright_ffi -o cube
 *     LD_LIBRARY_PATH=target/release ./cube vectors/circom/cube/bn128
 */
#include "pairwright.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program unless a call came to what it should. */
static void expect(PairwrightStatus found, PairwrightStatus expected, const char *what) {
    if (found != expected) {
        fprintf(stderr, "%s: status %d: %s\n", what, (int)found, pairwright_last_error());
        exit(1);
    }
}

static void path_of(char *out, size_t room, const char *folder, const char *name) {
    if ((size_t)snprintf(out, room, "%s/%s", folder, name) >= room) {
        fprintf(stderr, "%s: the path is too long\n", folder);
        exit(1);
    }
}

/* Reads the proof again from its JSON, with other public values if there are some. */
static PairwrightProof *again(const PairwrightVerifyingKey *key, const PairwrightProof *proof, const char *other) {
    PairwrightBuffer *json = NULL, *values = NULL;
    PairwrightProof *copy = NULL;
    const uint8_t *text;
    size_t length;
    expect(pairwright_proof_json(proof, &json), PAIRWRIGHT_STATUS_OK, "proof as JSON");
    expect(pairwright_proof_public_json(proof, &values), PAIRWRIGHT_STATUS_OK, "public values as JSON");
    text = other ? (const uint8_t *)other : pairwright_buffer_data(values);
    length = other ? strlen(other) : pairwright_buffer_length(values);
    expect(pairwright_proof_from_json(key, pairwright_buffer_data(json), pairwright_buffer_length(json), text, length, &copy),
           PAIRWRIGHT_STATUS_OK, "proof from JSON");
    pairwright_buffer_free(json);
    pairwright_buffer_free(values);
    return copy;
}

static void groth16(const char *folder) {
    char path[4096];
    PairwrightProvingKey *proving = NULL;
    PairwrightWitness *witness = NULL;
    PairwrightVerifyingKey *key = NULL;
    PairwrightProof *proof = NULL, *copy, *changed;
    const PairwrightProof *batch[3];
    size_t first_bad = 0;

    path_of(path, sizeof path, folder, "cube.zkey");
    expect(pairwright_proving_key_open(path, 0, &proving), PAIRWRIGHT_STATUS_OK, "proving key");
    path_of(path, sizeof path, folder, "witness.wtns");
    expect(pairwright_witness_open(path, &witness), PAIRWRIGHT_STATUS_OK, "witness");
    expect(pairwright_prove(proving, witness, &proof), PAIRWRIGHT_STATUS_OK, "prove");
    pairwright_witness_free(witness);

    path_of(path, sizeof path, folder, "verification_key.json");
    expect(pairwright_verifying_key_open(path, 0, &key), PAIRWRIGHT_STATUS_OK, "verification key");
    expect(pairwright_verify(key, proof), PAIRWRIGHT_STATUS_OK, "verify");
    printf("a proof on %s with %u public value\n", pairwright_verifying_key_curve(key),
           (unsigned)pairwright_verifying_key_public(key));

    copy = again(key, proof, NULL);
    changed = again(key, proof, "[\"36\"]");
    expect(pairwright_verify(key, changed), PAIRWRIGHT_STATUS_REJECTED, "verify what was changed");
    printf("changed: %s\n", pairwright_last_error());

    batch[0] = proof;
    batch[1] = copy;
    batch[2] = changed;
    expect(pairwright_batch_verify(key, batch, 2, NULL), PAIRWRIGHT_STATUS_OK, "verify two");
    expect(pairwright_batch_verify(key, batch, 3, &first_bad), PAIRWRIGHT_STATUS_REJECTED, "verify three");
    printf("of three, the first bad one is %u: %s\n", (unsigned)first_bad, pairwright_last_error());

    pairwright_proof_free(proof);
    pairwright_proof_free(copy);
    pairwright_proof_free(changed);
    pairwright_proof_free(NULL);
    pairwright_verifying_key_free(key);
    pairwright_proving_key_free(proving);

    path_of(path, sizeof path, folder, "none.zkey");
    expect(pairwright_proving_key_open(path, 0, &proving), PAIRWRIGHT_STATUS_BAD_INPUT, "a file that is not there");
    expect(pairwright_proving_key_open(NULL, 0, &proving), PAIRWRIGHT_STATUS_NULL_POINTER, "no path");
}

static void bls(void) {
    static const uint8_t message[] = "block 19000000";
    uint8_t seed[32], keys[2][PAIRWRIGHT_BLS_PUBLIC_KEY_LENGTH], signatures[2][PAIRWRIGHT_BLS_SIGNATURE_LENGTH];
    uint8_t sum[PAIRWRIGHT_BLS_SIGNATURE_LENGTH], proof[PAIRWRIGHT_BLS_SIGNATURE_LENGTH];
    int i;
    for (i = 0; i < 2; i++) {
        PairwrightBlsSecretKey *secret = NULL;
        /* A program of yours has secret bytes of the system here. */
        memset(seed, i + 1, sizeof seed);
        expect(pairwright_bls_key_gen(seed, sizeof seed, &secret), PAIRWRIGHT_STATUS_OK, "key");
        expect(pairwright_bls_public_key(secret, keys[i]), PAIRWRIGHT_STATUS_OK, "public key");
        expect(pairwright_bls_prove_possession(secret, proof), PAIRWRIGHT_STATUS_OK, "possession");
        expect(pairwright_bls_verify_possession(keys[i], proof), PAIRWRIGHT_STATUS_OK, "verify possession");
        expect(pairwright_bls_sign(secret, message, sizeof message - 1, signatures[i]), PAIRWRIGHT_STATUS_OK, "sign");
        pairwright_bls_secret_key_free(secret);
    }
    expect(pairwright_bls_verify(keys[0], message, sizeof message - 1, signatures[0]), PAIRWRIGHT_STATUS_OK, "verify");
    expect(pairwright_bls_verify(keys[1], message, sizeof message - 1, signatures[0]), PAIRWRIGHT_STATUS_REJECTED,
           "another signer");
    expect(pairwright_bls_aggregate(signatures[0], 2, sum), PAIRWRIGHT_STATUS_OK, "aggregate");
    expect(pairwright_bls_fast_aggregate_verify(keys[0], 2, message, sizeof message - 1, sum), PAIRWRIGHT_STATUS_OK,
           "verify the sum");
    expect(pairwright_bls_fast_aggregate_verify(keys[0], 1, message, sizeof message - 1, sum),
           PAIRWRIGHT_STATUS_REJECTED, "verify the sum for one signer");
    printf("two signatures in one\n");
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: cube FOLDER\n");
        return 2;
    }
    printf("Pairwright %s\n", pairwright_version());
    groth16(arguments[1]);
    bls();
    return 0;
}
