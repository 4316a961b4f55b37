//! Gates, paths and energies of synthesised blocks: what `results/rtl` keeps, as constants.
//!
//! Derived: `python3 derive/cells.py > crates/sim/src/cells/measured.rs`. Do not edit.

use super::energy::{Count, SwitchingEnergy};
use super::{Block, Library, Module};

/// The libraries with the blocks that are synthesised in each. The first library has every block.
#[rustfmt::skip]
pub const LIBRARIES: [Library; 2] = [
    Library { name: "SkyWater, 130 nm", nm: 130.0, blocks: &[
        Block {
            name: "add_sub_255", gates: 8726.7, registers: 256, area_um2: 32756.4,
            modules: &[
                Module { name: "add_sub_255", instances: 1, registers: 256, area_um2: 8439.3, path_ps: Some(902.1) },
                Module { name: "add_sub_255_logic", instances: 1, registers: 0, area_um2: 24317.1, path_ps: Some(8073.7) },
            ],
            count: Some(Count {
                cells: 4057, registers: 256, interval: 1, volts: 1.8, area_um2: 32756.42, nand2_um2: 3.7536, clock_pins_fj: 1488.015, clock_internal_fj: 10190.8, leakage_nw: 12.76946, path_ps: 8073.668,
                switched: [
                    SwitchingEnergy { driven: 4230.676, pins_fj: 20281.93, internal_fj: 19668.59 },
                    SwitchingEnergy { driven: 10297.2, pins_fj: 47296.3, internal_fj: 55697.48 },
                    SwitchingEnergy { driven: 16165.61, pins_fj: 73110.02, internal_fj: 92433.21 },
                ],
            }),
        },
        Block {
            name: "add_sub_381", gates: 13033.3, registers: 382, area_um2: 48921.9,
            modules: &[
                Module { name: "add_sub_381", instances: 1, registers: 382, area_um2: 12600.8, path_ps: Some(902.0) },
                Module { name: "add_sub_381_logic", instances: 1, registers: 0, area_um2: 36321.1, path_ps: Some(8712.6) },
            ],
            count: Some(Count {
                cells: 6115, registers: 382, interval: 1, volts: 1.8, area_um2: 48921.92, nand2_um2: 3.7536, clock_pins_fj: 2220.398, clock_internal_fj: 15206.58, leakage_nw: 19.20895, path_ps: 8712.609,
                switched: [
                    SwitchingEnergy { driven: 6383.57, pins_fj: 30509.59, internal_fj: 28284.73 },
                    SwitchingEnergy { driven: 15694.23, pins_fj: 71413.61, internal_fj: 78822.13 },
                    SwitchingEnergy { driven: 24748.81, pins_fj: 111071.2, internal_fj: 130893.9 },
                ],
            }),
        },
        Block {
            name: "butterfly_255", gates: 557988.0, registers: 16049, area_um2: 2094463.8,
            modules: &[
                Module { name: "butterfly_255", instances: 1, registers: 5628, area_um2: 203745.4, path_ps: Some(1260.4) },
                Module { name: "butterfly_255_add", instances: 1, registers: 0, area_um2: 17255.3, path_ps: Some(6659.3) },
                Module { name: "butterfly_255_halve", instances: 2, registers: 0, area_um2: 7146.9, path_ps: Some(3542.4) },
                Module { name: "mm_255", instances: 1, registers: 10421, area_um2: 335356.6, path_ps: Some(1095.1) },
                Module { name: "mm_255_multiply", instances: 2, registers: 0, area_um2: 311703.9, path_ps: Some(8829.3) },
                Module { name: "mm_255_multiply_first", instances: 1, registers: 0, area_um2: 304324.4, path_ps: Some(9107.6) },
                Module { name: "mm_255_multiply_last", instances: 1, registers: 0, area_um2: 304240.5, path_ps: Some(9019.9) },
                Module { name: "mm_255_prepare", instances: 1, registers: 0, area_um2: 2519.9, path_ps: Some(2221.7) },
                Module { name: "mm_255_reduce", instances: 4, registers: 0, area_um2: 67045.6, path_ps: Some(8375.3) },
                Module { name: "mm_255_subtract", instances: 1, registers: 0, area_um2: 5335.1, path_ps: Some(3055.2) },
                Module { name: "butterfly_255_sub", instances: 1, registers: 0, area_um2: 15802.7, path_ps: Some(6641.3) },
            ],
            count: Some(Count {
                cells: 167338, registers: 16049, interval: 1, volts: 1.8, area_um2: 2094464.0, nand2_um2: 3.7536, clock_pins_fj: 93285.78, clock_internal_fj: 638875.3, leakage_nw: 775.0029, path_ps: 9107.555,
                switched: [
                    SwitchingEnergy { driven: 227286.3, pins_fj: 1202826.0, internal_fj: 1116707.0 },
                    SwitchingEnergy { driven: 374674.9, pins_fj: 2072015.0, internal_fj: 2092463.0 },
                    SwitchingEnergy { driven: 686623.8, pins_fj: 4033645.0, internal_fj: 4245743.0 },
                ],
            }),
        },
        Block {
            name: "dma_generator", gates: 12373.7, registers: 733, area_um2: 46445.8,
            modules: &[
                Module { name: "dma_generator", instances: 1, registers: 733, area_um2: 46445.8, path_ps: Some(8998.8) },
            ],
            count: None,
        },
        Block {
            name: "fp2_381", gates: 4115636.4, registers: 60554, area_um2: 15448452.9,
            modules: &[
                Module { name: "fp2_381", instances: 1, registers: 1526, area_um2: 49739.0, path_ps: Some(1116.5) },
                Module { name: "fp2_381_add", instances: 1, registers: 0, area_um2: 24139.4, path_ps: Some(6901.4) },
                Module { name: "mm_381", instances: 4, registers: 14757, area_um2: 469730.5, path_ps: Some(1390.7) },
                Module { name: "mm_381_multiply", instances: 16, registers: 0, area_um2: 449341.0, path_ps: Some(9102.3) },
                Module { name: "mm_381_multiply_first", instances: 4, registers: 0, area_um2: 435101.0, path_ps: Some(9283.1) },
                Module { name: "mm_381_multiply_last", instances: 4, registers: 0, area_um2: 426559.1, path_ps: Some(9160.5) },
                Module { name: "mm_381_prepare", instances: 4, registers: 0, area_um2: 6606.3, path_ps: Some(5452.3) },
                Module { name: "mm_381_reduce", instances: 24, registers: 0, area_um2: 115051.6, path_ps: Some(9059.2) },
                Module { name: "mm_381_subtract", instances: 4, registers: 0, area_um2: 12021.5, path_ps: Some(4093.5) },
                Module { name: "fp2_381_sub", instances: 1, registers: 0, area_um2: 23806.6, path_ps: Some(7108.5) },
            ],
            count: Some(Count {
                cells: 1236303, registers: 60554, interval: 1, volts: 1.8, area_um2: 15448450.0, nand2_um2: 3.7536, clock_pins_fj: 351973.8, clock_internal_fj: 2410521.0, leakage_nw: 5614.459, path_ps: 9283.136,
                switched: [
                    SwitchingEnergy { driven: 1819069.0, pins_fj: 10058160.0, internal_fj: 8146167.0 },
                    SwitchingEnergy { driven: 3285942.0, pins_fj: 18868440.0, internal_fj: 17812290.0 },
                    SwitchingEnergy { driven: 6305197.0, pins_fj: 38009380.0, internal_fj: 38382190.0 },
                ],
            }),
        },
        Block {
            name: "keccak", gates: 33364.3, registers: 1605, area_um2: 125236.4,
            modules: &[
                Module { name: "keccak", instances: 1, registers: 1605, area_um2: 70701.6, path_ps: Some(1591.7) },
                Module { name: "keccak_round", instances: 1, registers: 0, area_um2: 54534.8, path_ps: Some(1409.7) },
            ],
            count: Some(Count {
                cells: 15072, registers: 1605, interval: 24, volts: 1.8, area_um2: 125236.4, nand2_um2: 3.7536, clock_pins_fj: 9329.159, clock_internal_fj: 63891.51, leakage_nw: 49.08016, path_ps: 1591.662,
                switched: [
                    SwitchingEnergy { driven: 10961.17, pins_fj: 59064.76, internal_fj: 73831.96 },
                    SwitchingEnergy { driven: 18985.85, pins_fj: 96256.35, internal_fj: 140922.1 },
                    SwitchingEnergy { driven: 35858.41, pins_fj: 183160.4, internal_fj: 279474.3 },
                ],
            }),
        },
        Block {
            name: "mm_255", gates: 491093.0, registers: 10421, area_um2: 1843366.7,
            modules: &[
                Module { name: "mm_255", instances: 1, registers: 10421, area_um2: 335356.6, path_ps: Some(1095.1) },
                Module { name: "mm_255_multiply", instances: 2, registers: 0, area_um2: 311703.9, path_ps: Some(8829.3) },
                Module { name: "mm_255_multiply_first", instances: 1, registers: 0, area_um2: 304324.4, path_ps: Some(9107.6) },
                Module { name: "mm_255_multiply_last", instances: 1, registers: 0, area_um2: 304240.5, path_ps: Some(9019.9) },
                Module { name: "mm_255_prepare", instances: 1, registers: 0, area_um2: 2519.9, path_ps: Some(2221.7) },
                Module { name: "mm_255_reduce", instances: 4, registers: 0, area_um2: 67045.6, path_ps: Some(8375.3) },
                Module { name: "mm_255_subtract", instances: 1, registers: 0, area_um2: 5335.1, path_ps: Some(3055.2) },
            ],
            count: Some(Count {
                cells: 144691, registers: 10421, interval: 1, volts: 1.8, area_um2: 1843367.0, nand2_um2: 3.7536, clock_pins_fj: 60572.69, clock_internal_fj: 414837.0, leakage_nw: 673.2313, path_ps: 9107.555,
                switched: [
                    SwitchingEnergy { driven: 209244.0, pins_fj: 1136718.0, internal_fj: 976970.4 },
                    SwitchingEnergy { driven: 351870.1, pins_fj: 1986684.0, internal_fj: 1929929.0 },
                    SwitchingEnergy { driven: 662225.2, pins_fj: 3947370.0, internal_fj: 4076325.0 },
                ],
            }),
        },
        Block {
            name: "mm_381", gates: 1022403.0, registers: 14757, area_um2: 3837691.9,
            modules: &[
                Module { name: "mm_381", instances: 1, registers: 14757, area_um2: 469730.5, path_ps: Some(1390.7) },
                Module { name: "mm_381_multiply", instances: 4, registers: 0, area_um2: 449341.0, path_ps: Some(9102.3) },
                Module { name: "mm_381_multiply_first", instances: 1, registers: 0, area_um2: 435101.0, path_ps: Some(9283.1) },
                Module { name: "mm_381_multiply_last", instances: 1, registers: 0, area_um2: 426559.1, path_ps: Some(9160.5) },
                Module { name: "mm_381_prepare", instances: 1, registers: 0, area_um2: 6606.3, path_ps: Some(5452.3) },
                Module { name: "mm_381_reduce", instances: 6, registers: 0, area_um2: 115051.6, path_ps: Some(9059.2) },
                Module { name: "mm_381_subtract", instances: 1, registers: 0, area_um2: 12021.5, path_ps: Some(4093.5) },
            ],
            count: Some(Count {
                cells: 306342, registers: 14757, interval: 1, volts: 1.8, area_um2: 3837692.0, nand2_um2: 3.7536, clock_pins_fj: 85775.95, clock_internal_fj: 587443.6, leakage_nw: 1394.174, path_ps: 9283.136,
                switched: [
                    SwitchingEnergy { driven: 451967.0, pins_fj: 2502585.0, internal_fj: 2022216.0 },
                    SwitchingEnergy { driven: 809127.5, pins_fj: 4655241.0, internal_fj: 4412939.0 },
                    SwitchingEnergy { driven: 1560294.0, pins_fj: 9407052.0, internal_fj: 9534382.0 },
                ],
            }),
        },
        Block {
            name: "mm_381_iterative", gates: 178056.0, registers: 2359, area_um2: 668351.0,
            modules: &[
                Module { name: "mm_381_iterative", instances: 1, registers: 2359, area_um2: 85492.0, path_ps: Some(1395.4) },
                Module { name: "mm_381_iterative_multiply", instances: 1, registers: 0, area_um2: 449341.0, path_ps: Some(9102.3) },
                Module { name: "mm_381_iterative_prepare", instances: 1, registers: 0, area_um2: 6606.3, path_ps: Some(5452.3) },
                Module { name: "mm_381_iterative_reduce", instances: 1, registers: 0, area_um2: 115051.6, path_ps: Some(9059.2) },
                Module { name: "mm_381_iterative_subtract", instances: 1, registers: 0, area_um2: 11860.1, path_ps: Some(4133.8) },
            ],
            count: Some(Count {
                cells: 55857, registers: 2359, interval: 6, volts: 1.8, area_um2: 668351.0, nand2_um2: 3.7536, clock_pins_fj: 13711.83, clock_internal_fj: 93906.59, leakage_nw: 244.5635, path_ps: 9102.328,
                switched: [
                    SwitchingEnergy { driven: 61142.21, pins_fj: 367015.0, internal_fj: 322214.4 },
                    SwitchingEnergy { driven: 184493.6, pins_fj: 1104103.0, internal_fj: 971724.5 },
                    SwitchingEnergy { driven: 425164.4, pins_fj: 2671063.0, internal_fj: 2383050.0 },
                ],
            }),
        },
        Block {
            name: "ntt_255", gates: 2371923.5, registers: 76741, area_um2: 8903252.0,
            modules: &[
                Module { name: "ntt_255", instances: 1, registers: 12545, area_um2: 525396.4, path_ps: Some(2877.7) },
                Module { name: "butterfly_255", instances: 4, registers: 5628, area_um2: 203745.4, path_ps: Some(1260.4) },
                Module { name: "butterfly_255_add", instances: 4, registers: 0, area_um2: 17255.3, path_ps: Some(6659.3) },
                Module { name: "butterfly_255_halve", instances: 8, registers: 0, area_um2: 7146.9, path_ps: Some(3542.4) },
                Module { name: "mm_255", instances: 4, registers: 10421, area_um2: 335356.6, path_ps: Some(1095.1) },
                Module { name: "mm_255_multiply", instances: 8, registers: 0, area_um2: 311703.9, path_ps: Some(8829.3) },
                Module { name: "mm_255_multiply_first", instances: 4, registers: 0, area_um2: 304324.4, path_ps: Some(9107.6) },
                Module { name: "mm_255_multiply_last", instances: 4, registers: 0, area_um2: 304240.5, path_ps: Some(9019.9) },
                Module { name: "mm_255_prepare", instances: 4, registers: 0, area_um2: 2519.9, path_ps: Some(2221.7) },
                Module { name: "mm_255_reduce", instances: 16, registers: 0, area_um2: 67045.6, path_ps: Some(8375.3) },
                Module { name: "mm_255_subtract", instances: 4, registers: 0, area_um2: 5335.1, path_ps: Some(3055.2) },
                Module { name: "butterfly_255_sub", instances: 4, registers: 0, area_um2: 15802.7, path_ps: Some(6641.3) },
            ],
            count: None,
        },
        Block {
            name: "padd_381", gates: 12641237.7, registers: 200477, area_um2: 47450149.6,
            modules: &[
                Module { name: "padd_381", instances: 1, registers: 23393, area_um2: 744676.7, path_ps: Some(1332.1) },
                Module { name: "padd_381_add", instances: 22, registers: 0, area_um2: 24250.8, path_ps: Some(7173.7) },
                Module { name: "mm_381", instances: 12, registers: 14757, area_um2: 469730.5, path_ps: Some(1390.7) },
                Module { name: "mm_381_multiply", instances: 48, registers: 0, area_um2: 449341.0, path_ps: Some(9102.3) },
                Module { name: "mm_381_multiply_first", instances: 12, registers: 0, area_um2: 435101.0, path_ps: Some(9283.1) },
                Module { name: "mm_381_multiply_last", instances: 12, registers: 0, area_um2: 426559.1, path_ps: Some(9160.5) },
                Module { name: "mm_381_prepare", instances: 12, registers: 0, area_um2: 6606.3, path_ps: Some(5452.3) },
                Module { name: "mm_381_reduce", instances: 72, registers: 0, area_um2: 115051.6, path_ps: Some(9059.2) },
                Module { name: "mm_381_subtract", instances: 12, registers: 0, area_um2: 12021.5, path_ps: Some(4093.5) },
                Module { name: "padd_381_sub", instances: 5, registers: 0, area_um2: 23930.5, path_ps: Some(6703.3) },
            ],
            count: None,
        },
        Block {
            name: "pairing_control", gates: 17604.3, registers: 1520, area_um2: 66079.6,
            modules: &[
                Module { name: "pairing_control", instances: 1, registers: 1520, area_um2: 66079.6, path_ps: Some(4332.3) },
            ],
            count: None,
        },
        Block {
            name: "tree_255", gates: 1251253.7, registers: 39308, area_um2: 4696705.8,
            modules: &[
                Module { name: "tree_255", instances: 1, registers: 3572, area_um2: 213212.0, path_ps: Some(2522.7) },
                Module { name: "tree_255_control", instances: 1, registers: 714, area_um2: 43908.4, path_ps: Some(5600.7) },
                Module { name: "tree_255_element", instances: 2, registers: 4845, area_um2: 169298.6, path_ps: Some(1287.8) },
                Module { name: "keccak", instances: 2, registers: 1605, area_um2: 70701.6, path_ps: Some(1591.7) },
                Module { name: "keccak_round", instances: 2, registers: 0, area_um2: 54534.8, path_ps: Some(1409.7) },
                Module { name: "mm_255", instances: 2, registers: 10421, area_um2: 335356.6, path_ps: Some(1095.1) },
                Module { name: "mm_255_multiply", instances: 4, registers: 0, area_um2: 311703.9, path_ps: Some(8829.3) },
                Module { name: "mm_255_multiply_first", instances: 2, registers: 0, area_um2: 304324.4, path_ps: Some(9107.6) },
                Module { name: "mm_255_multiply_last", instances: 2, registers: 0, area_um2: 304240.5, path_ps: Some(9019.9) },
                Module { name: "mm_255_prepare", instances: 2, registers: 0, area_um2: 2519.9, path_ps: Some(2221.7) },
                Module { name: "mm_255_reduce", instances: 8, registers: 0, area_um2: 67045.6, path_ps: Some(8375.3) },
                Module { name: "mm_255_subtract", instances: 2, registers: 0, area_um2: 5335.1, path_ps: Some(3055.2) },
                Module { name: "add_sub_255", instances: 5, registers: 256, area_um2: 8439.3, path_ps: Some(902.1) },
                Module { name: "add_sub_255_logic", instances: 5, registers: 0, area_um2: 24317.1, path_ps: Some(8073.7) },
            ],
            count: None,
        },
        Block {
            name: "tree_control", gates: 11719.7, registers: 714, area_um2: 43990.9,
            modules: &[
                Module { name: "tree_control", instances: 1, registers: 714, area_um2: 43990.9, path_ps: Some(5792.8) },
            ],
            count: None,
        },
        Block {
            name: "tree_element_255", gates: 587013.7, registers: 17383, area_um2: 2203414.5,
            modules: &[
                Module { name: "tree_element_255", instances: 1, registers: 4845, area_um2: 169298.6, path_ps: Some(1287.8) },
                Module { name: "keccak", instances: 1, registers: 1605, area_um2: 70701.6, path_ps: Some(1591.7) },
                Module { name: "keccak_round", instances: 1, registers: 0, area_um2: 54534.8, path_ps: Some(1409.7) },
                Module { name: "mm_255", instances: 1, registers: 10421, area_um2: 335356.6, path_ps: Some(1095.1) },
                Module { name: "mm_255_multiply", instances: 2, registers: 0, area_um2: 311703.9, path_ps: Some(8829.3) },
                Module { name: "mm_255_multiply_first", instances: 1, registers: 0, area_um2: 304324.4, path_ps: Some(9107.6) },
                Module { name: "mm_255_multiply_last", instances: 1, registers: 0, area_um2: 304240.5, path_ps: Some(9019.9) },
                Module { name: "mm_255_prepare", instances: 1, registers: 0, area_um2: 2519.9, path_ps: Some(2221.7) },
                Module { name: "mm_255_reduce", instances: 4, registers: 0, area_um2: 67045.6, path_ps: Some(8375.3) },
                Module { name: "mm_255_subtract", instances: 1, registers: 0, area_um2: 5335.1, path_ps: Some(3055.2) },
                Module { name: "add_sub_255", instances: 2, registers: 256, area_um2: 8439.3, path_ps: Some(902.1) },
                Module { name: "add_sub_255_logic", instances: 2, registers: 0, area_um2: 24317.1, path_ps: Some(8073.7) },
            ],
            count: None,
        },
    ] },
    Library { name: "Nangate, 45 nm", nm: 45.0, blocks: &[
        Block {
            name: "add_sub_255", gates: 8496.3, registers: 256, area_um2: 6780.1,
            modules: &[
                Module { name: "add_sub_255", instances: 1, registers: 256, area_um2: 1850.3, path_ps: Some(235.8) },
                Module { name: "add_sub_255_logic", instances: 1, registers: 0, area_um2: 4929.8, path_ps: Some(1630.6) },
            ],
            count: Some(Count {
                cells: 4431, registers: 256, interval: 1, volts: 1.1, area_um2: 6780.074, nand2_um2: 0.798, clock_pins_fj: 294.1645, clock_internal_fj: 1939.517, leakage_nw: 159868.6, path_ps: 1630.606,
                switched: [
                    SwitchingEnergy { driven: 4444.846, pins_fj: 4919.301, internal_fj: 6072.69 },
                    SwitchingEnergy { driven: 10600.73, pins_fj: 11237.93, internal_fj: 15731.6 },
                    SwitchingEnergy { driven: 16777.51, pins_fj: 17413.69, internal_fj: 25824.72 },
                ],
            }),
        },
        Block {
            name: "add_sub_381", gates: 12678.7, registers: 382, area_um2: 10117.6,
            modules: &[
                Module { name: "add_sub_381", instances: 1, registers: 382, area_um2: 2593.0, path_ps: Some(252.7) },
                Module { name: "add_sub_381_logic", instances: 1, registers: 0, area_um2: 7524.6, path_ps: Some(1622.6) },
            ],
            count: Some(Count {
                cells: 6641, registers: 382, interval: 1, volts: 1.1, area_um2: 10117.58, nand2_um2: 0.798, clock_pins_fj: 438.9486, clock_internal_fj: 2894.123, leakage_nw: 235449.5, path_ps: 1622.644,
                switched: [
                    SwitchingEnergy { driven: 6628.876, pins_fj: 7367.467, internal_fj: 9383.576 },
                    SwitchingEnergy { driven: 16282.15, pins_fj: 17338.09, internal_fj: 24962.19 },
                    SwitchingEnergy { driven: 25490.39, pins_fj: 26437.52, internal_fj: 40311.18 },
                ],
            }),
        },
        Block {
            name: "keccak", gates: 30262.0, registers: 1605, area_um2: 24149.1,
            modules: &[
                Module { name: "keccak", instances: 1, registers: 1605, area_um2: 13761.2, path_ps: Some(413.6) },
                Module { name: "keccak_round", instances: 1, registers: 0, area_um2: 10387.8, path_ps: Some(415.8) },
            ],
            count: Some(Count {
                cells: 12047, registers: 1605, interval: 24, volts: 1.1, area_um2: 24149.08, nand2_um2: 0.798, clock_pins_fj: 1844.274, clock_internal_fj: 12159.86, leakage_nw: 512578.6, path_ps: 415.7608,
                switched: [
                    SwitchingEnergy { driven: 10252.75, pins_fj: 12065.92, internal_fj: 23000.82 },
                    SwitchingEnergy { driven: 18757.58, pins_fj: 21580.18, internal_fj: 42678.85 },
                    SwitchingEnergy { driven: 38702.93, pins_fj: 44845.33, internal_fj: 87106.41 },
                ],
            }),
        },
        Block {
            name: "mm_255", gates: 483468.3, registers: 10421, area_um2: 385807.7,
            modules: &[
                Module { name: "mm_255", instances: 1, registers: 10421, area_um2: 68540.0, path_ps: Some(276.8) },
                Module { name: "mm_255_multiply", instances: 2, registers: 0, area_um2: 65729.7, path_ps: Some(2073.5) },
                Module { name: "mm_255_multiply_first", instances: 1, registers: 0, area_um2: 64089.2, path_ps: Some(2043.7) },
                Module { name: "mm_255_multiply_last", instances: 1, registers: 0, area_um2: 64311.9, path_ps: Some(2004.4) },
                Module { name: "mm_255_prepare", instances: 1, registers: 0, area_um2: 596.4, path_ps: Some(508.7) },
                Module { name: "mm_255_reduce", instances: 4, registers: 0, area_um2: 13931.5, path_ps: Some(1881.6) },
                Module { name: "mm_255_subtract", instances: 1, registers: 0, area_um2: 1085.0, path_ps: Some(652.7) },
            ],
            count: Some(Count {
                cells: 142595, registers: 10421, interval: 1, volts: 1.1, area_um2: 385807.7, nand2_um2: 0.798, clock_pins_fj: 11974.56, clock_internal_fj: 78951.97, leakage_nw: 7725231.0, path_ps: 2073.466,
                switched: [
                    SwitchingEnergy { driven: 207575.7, pins_fj: 270878.3, internal_fj: 322754.9 },
                    SwitchingEnergy { driven: 348641.9, pins_fj: 483834.8, internal_fj: 662503.6 },
                    SwitchingEnergy { driven: 1010602.0, pins_fj: 1484983.0, internal_fj: 2269548.0 },
                ],
            }),
        },
        Block {
            name: "mm_381", gates: 1012692.3, registers: 14757, area_um2: 808128.5,
            modules: &[
                Module { name: "mm_381", instances: 1, registers: 14757, area_um2: 97138.9, path_ps: Some(295.7) },
                Module { name: "mm_381_multiply", instances: 4, registers: 0, area_um2: 95015.5, path_ps: Some(2073.4) },
                Module { name: "mm_381_multiply_first", instances: 1, registers: 0, area_um2: 91891.6, path_ps: Some(2095.5) },
                Module { name: "mm_381_multiply_last", instances: 1, registers: 0, area_um2: 90265.0, path_ps: Some(2099.8) },
                Module { name: "mm_381_prepare", instances: 1, registers: 0, area_um2: 1464.9, path_ps: Some(1198.6) },
                Module { name: "mm_381_reduce", instances: 6, registers: 0, area_um2: 24185.5, path_ps: Some(2079.6) },
                Module { name: "mm_381_subtract", instances: 1, registers: 0, area_um2: 2193.2, path_ps: Some(768.9) },
            ],
            count: Some(Count {
                cells: 303171, registers: 14757, interval: 1, volts: 1.1, area_um2: 808128.5, nand2_um2: 0.798, clock_pins_fj: 16956.98, clock_internal_fj: 111802.5, leakage_nw: 16254170.0, path_ps: 2099.845,
                switched: [
                    SwitchingEnergy { driven: 448873.1, pins_fj: 596967.1, internal_fj: 668485.3 },
                    SwitchingEnergy { driven: 800238.5, pins_fj: 1132665.0, internal_fj: 1521140.0 },
                    SwitchingEnergy { driven: 2390713.0, pins_fj: 3533176.0, internal_fj: 5343764.0 },
                ],
            }),
        },
    ] },
];
