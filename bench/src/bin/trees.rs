//! Trees over vectors and the steps of a sumcheck: both traversals, with lanes and without, compared with arkworks'
//! multilinear extensions, straightforward loops over arkworks' field (a level at a time, in parallel), HyperPlonk's
//! loop for the equality table (the same arithmetic, reimplemented), and Merkle trees with the crates `sha3`, `tiny-keccak`
//! and `light-poseidon`.

use ark_bls12_381::Fr as Ark;
use ark_ff::{One as _, Zero as _};
use ark_poly::{DenseMultilinearExtension, MultilinearExtension, Polynomial};
use light_poseidon::{Poseidon as Light, PoseidonHasher as _};
use pairwright_bench::{Options, Row, Table, bridge, take_turns};
use pairwright_cpu::{Traversal, Trees, Vectors};
use pairwright_curve::bls12_381::Fr;
use pairwright_curve::bn254;
use pairwright_device::{HashOp, SumcheckOp, TreeOp};
use pairwright_field::Field;
use pairwright_hash::{Digest, Poseidon};
use pairwright_poly::{Buf, SumOfProducts};
use rayon::prelude::*;
use sha3::Digest as _;
use std::cell::RefCell;
use std::time::Duration;
use tiny_keccak::Hasher;

const BUDGET: Duration = Duration::from_secs(2);
/// Number of leaves in one task of the loops.
const TASK: usize = 1 << 10;

/// The levels above the leaves, one after the other.
fn levels<T: Copy + Default + Send + Sync>(leaves: &[T], node: impl Fn(&T, &T) -> T + Sync) -> Vec<Vec<T>> {
    let mut levels: Vec<Vec<T>> = Vec::new();
    let mut len = leaves.len();
    while len > 1 {
        let below = levels.last().map_or(leaves, |level| &level[..]);
        let level = below.par_chunks_exact(2).with_min_len(TASK).map(|x| node(&x[0], &x[1])).collect();
        levels.push(level);
        len /= 2;
    }
    levels
}

/// The equality table, each level computed from the one before it, with one product per pair.
fn eq_table(r: &[Ark]) -> Vec<Ark> {
    let mut table = vec![Ark::one()];
    for r in r.iter().rev() {
        let mut next = vec![Ark::zero(); 2 * table.len()];
        next.par_chunks_exact_mut(2).with_min_len(TASK).zip(&table).for_each(|(to, parent)| {
            to[1] = *parent * r;
            to[0] = *parent - to[1];
        });
        table = next;
    }
    table
}

/// The equality table as HyperPlonk computes it: every child takes a product.
fn eq_table_of_hyperplonk(r: &[Ark]) -> Vec<Ark> {
    if let [r] = r {
        return vec![Ark::one() - r, *r];
    }
    let parents = eq_table_of_hyperplonk(&r[1..]);
    let mut table = vec![Ark::zero(); 2 * parents.len()];
    table.par_iter_mut().with_min_len(TASK).enumerate().for_each(|(i, to)| {
        let parent = parents[i / 2];
        let product = r[0] * parent;
        *to = if i % 2 == 0 { parent - product } else { product };
    });
    table
}

/// The value of a multilinear extension at a point, level by level.
fn evaluate(table: &[Ark], r: &[Ark]) -> Ark {
    let mut level = table.to_vec();
    for r in r {
        level = level.par_chunks_exact(2).with_min_len(TASK).map(|f| f[0] + *r * (f[1] - f[0])).collect();
    }
    level[0]
}

/// The round polynomial of a product of three tables, at 0, 1, 2 and 3.
fn round(tables: &[Vec<Ark>; 3]) -> Vec<Ark> {
    let add = |mut a: [Ark; 4], b: [Ark; 4]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let pair = |mut sums: [Ark; 4], i: usize| {
        let mut values = [0, 1, 2].map(|k| tables[k][2 * i]);
        let steps = [0, 1, 2].map(|k| tables[k][2 * i + 1] - values[k]);
        for sum in &mut sums {
            *sum += values[0] * values[1] * values[2];
            values.iter_mut().zip(steps).for_each(|(value, step)| *value += step);
        }
        sums
    };
    let none = || [Ark::zero(); 4];
    let pairs = (0..tables[0].len() / 2).into_par_iter().with_min_len(TASK);
    pairs.fold(none, pair).reduce(none, add).to_vec()
}

fn sha3_node(left: &Digest, right: &Digest) -> Digest {
    sha3::Sha3_256::new().chain_update(left).chain_update(right).finalize().into()
}

fn tiny_keccak_node(left: &Digest, right: &Digest) -> Digest {
    let mut hash = tiny_keccak::Sha3::v256();
    hash.update(left);
    hash.update(right);
    let mut digest = [0; 32];
    hash.finalize(&mut digest);
    digest
}

/// Consumes a result, so that the compiler does not remove its computation.
fn keep<T>(value: T) {
    let _ = std::hint::black_box(value);
}

/// All variants of our implementation, the fastest first. The fastest is compared with every peer, the others with the first peer.
fn forms() -> [(&'static str, Trees); 4] {
    let [dfs, bfs] = [Traversal::Dfs, Traversal::Bfs].map(Trees::with);
    [
        ("dfs", dfs),
        ("bfs", bfs),
        ("dfs, no lanes", dfs.without_lanes()),
        ("bfs, no lanes", bfs.without_lanes()),
    ]
}

type Peer<'a> = (&'static str, Box<dyn Fn() + Sync + Send + 'a>);

/// Compares all variants of one of our operators with its peers.
fn compare<X>(
    options: &Options,
    table: &mut Table,
    (name, log): (&str, u32),
    ours: impl Fn(&Trees) -> X + Sync,
    peers: &[Peer<'_>],
) {
    for (at, (form, trees)) in forms().iter().enumerate() {
        let operator = format!("{name} ({form})");
        if !options.wants(&operator) {
            continue;
        }
        for (peer, run) in &peers[..if at == 0 { peers.len() } else { 1 }] {
            for (threads, pool) in options.pools() {
                let mut pair = None;
                pool.install(|| {
                    let ours = || ours(trees);
                    pair = Some(take_turns(BUDGET, || (), |()| keep(ours()), || (), |()| run()));
                });
                let pair = pair.expect("measured");
                table.push(Row::new(operator.as_str(), format!("2^{log}"), threads, peer, &pair, 1));
            }
        }
    }
}

fn fields(options: &Options, table: &mut Table, log: u32) {
    let mut rng = bridge::rng(11);
    let values: Buf<Fr> = (0..1 << log).map(|_| Fr::random(&mut rng)).collect();
    let r: Vec<Fr> = (0..log).map(|_| Fr::random(&mut rng)).collect();
    let (theirs, at): (Vec<Ark>, Vec<Ark>) = (bridge::primes_to_ark(&values), bridge::primes_to_ark(&r));
    let extension = DenseMultilinearExtension::from_evaluations_vec(log as usize, theirs.clone());
    let trees = Trees::default();

    let eq = bridge::primes_to_ark::<Fr, Ark>(&trees.build_eq(&r).expect("small").0);
    assert!(eq == eq_table(&at) && eq == eq_table_of_hyperplonk(&at), "the same table");
    let peers: [Peer<'_>; 2] = [
        ("loop over ark-ff", Box::new(|| keep(eq_table(&at)))),
        ("HyperPlonk's loop", Box::new(|| keep(eq_table_of_hyperplonk(&at)))),
    ];
    compare(options, table, ("eq table", log), |trees| trees.build_eq(&r).expect("small").0, &peers);

    let value: Fr = trees.mle_eval(values.view(), &r).expect("equal lengths").0;
    let value = bridge::prime_to_ark::<Fr, Ark>(&value);
    assert!(value == evaluate(&theirs, &at) && value == extension.evaluate(&at), "the same value");
    let peers: [Peer<'_>; 2] = [
        ("arkworks", Box::new(|| keep(extension.evaluate(&at)))),
        ("loop over ark-ff", Box::new(|| keep(evaluate(&theirs, &at)))),
    ];
    let ours = |trees: &Trees| trees.mle_eval(values.view(), &r).expect("equal lengths").0;
    compare(options, table, ("mle eval", log), ours, &peers);

    let tree = trees.product_tree(values.view()).expect("a power of two").0;
    let products = levels(&theirs, |a, b| *a * b);
    assert!(bridge::primes_to_ark::<Fr, Ark>(tree.nodes()) == products.concat(), "the same nodes");
    let peers: [Peer<'_>; 1] = [("loop over ark-ff", Box::new(|| keep(levels(&theirs, |a, b| *a * b))))];
    let ours = |trees: &Trees| trees.product_tree(values.view()).expect("a power of two").0;
    compare(options, table, ("product tree", log), ours, &peers);
}

fn hashes(options: &Options, table: &mut Table, log: u32) {
    let leaves: Buf<Digest> =
        (0..1u64 << log).map(|i| sha3::Sha3_256::digest(i.to_le_bytes()).into()).collect();
    let tree = TreeOp::<Fr>::sha3_tree(&Trees::default(), leaves.view()).expect("a power of two").0;
    for node in [sha3_node, tiny_keccak_node] {
        assert!(tree.nodes() == levels(&leaves, node).concat(), "the same nodes");
    }
    let peers: [Peer<'_>; 2] = [
        ("sha3", Box::new(|| keep(levels(&leaves, sha3_node)))),
        ("tiny-keccak", Box::new(|| keep(levels(&leaves, tiny_keccak_node)))),
    ];
    let ours = |trees: &Trees| TreeOp::<Fr>::sha3_tree(trees, leaves.view()).expect("a power of two").0;
    compare(options, table, ("sha3 tree", log), ours, &peers);
}

/// Poseidon trees on BN254, as in circom's circuits.
fn poseidon(options: &Options, table: &mut Table, log: u32) {
    let mut rng = bridge::rng(13);
    let leaves: Buf<bn254::Fr> = (0..1 << log).map(|_| bn254::Fr::random(&mut rng)).collect();
    let hash = Poseidon::new();
    let theirs: Vec<ark_bn254::Fr> = bridge::primes_to_ark(&leaves);
    thread_local!(static PEER: RefCell<Light<ark_bn254::Fr>> =
        RefCell::new(Light::<ark_bn254::Fr>::new_circom(2).expect("parameters of two inputs")));
    let node = |a: &ark_bn254::Fr, b: &ark_bn254::Fr| {
        PEER.with_borrow_mut(|hash| hash.hash(&[*a, *b])).expect("two inputs")
    };
    let tree = Trees::default().poseidon_tree(&hash, leaves.view()).expect("a power of two").0;
    let nodes = levels(&theirs, node).concat();
    assert!(bridge::primes_to_ark::<bn254::Fr, ark_bn254::Fr>(tree.nodes()) == nodes, "the same nodes");
    let peers: [Peer<'_>; 1] = [("light-poseidon", Box::new(|| keep(levels(&theirs, node))))];
    let ours = |trees: &Trees| trees.poseidon_tree(&hash, leaves.view()).expect("a power of two").0;
    compare(options, table, ("poseidon tree", log), ours, &peers);
}

fn sumchecks(options: &Options, table: &mut Table, log: u32) {
    let mut rng = bridge::rng(12);
    let ours = [(); 3].map(|()| -> Buf<Fr> { (0..1 << log).map(|_| Fr::random(&mut rng)).collect() });
    let theirs: [Vec<Ark>; 3] = [0, 1, 2].map(|k| bridge::primes_to_ark(&ours[k]));
    let (sum, r) = (SumOfProducts::product(3), Fr::random(&mut rng));
    let at: Ark = bridge::prime_to_ark(&r);
    let value = Vectors::default().round(&sum, &ours).expect("equal lengths").0;
    assert!(bridge::primes_to_ark::<Fr, Ark>(&value) == round(&theirs), "the same round");
    for (form, op) in [("lanes", Vectors::default()), ("no lanes", Vectors::without_lanes())] {
        for (threads, pool) in options.pools() {
            let operator = format!("sumcheck round ({form})");
            if options.wants(&operator) {
                let ours = || op.round(&sum, &ours).expect("equal lengths").0;
                let pair =
                    pool.install(|| take_turns(BUDGET, || (), |()| ours(), || (), |()| round(&theirs)));
                table.push(Row::new(operator, format!("2^{log}"), threads, "loop over ark-ff", &pair, 1));
            }
            let operator = format!("sumcheck bind ({form})");
            if options.wants(&operator) {
                let tables = || {
                    theirs.clone().map(|t| DenseMultilinearExtension::from_evaluations_vec(log as usize, t))
                };
                let pair = pool.install(|| {
                    take_turns(
                        BUDGET,
                        || ours.clone(),
                        |mut tables| {
                            op.bind(&mut tables, &r).expect("equal lengths");
                            tables
                        },
                        tables,
                        |tables| tables.map(|t| t.fix_variables(&[at])),
                    )
                });
                table.push(Row::new(operator, format!("2^{log}"), threads, "arkworks", &pair, 1));
            }
        }
    }
}

fn main() {
    Table::of("trees", |options, table| {
        for log in options.sizes_or(&[16, 20]) {
            fields(options, table, log);
            hashes(options, table, log);
            poseidon(options, table, log);
            sumchecks(options, table, log);
        }
    });
}
