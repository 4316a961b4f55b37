# Implements a block with its buses out of context for the ZCU104 and reports resources and timing:
#
#     vivado -mode batch -source rtl/fpga/build.tcl -tclargs add_sub_381
#
# Written by AMD's UG835 and UG905 for Vivado 2023.2 and later. Nobody has run it yet.
if {[llength $argv] != 1} {
    error "one argument, the name of a block: add_sub_381, keccak or mm_381_iterative"
}
set block [lindex $argv 0]
set top "${block}_axis"
set here [file dirname [file normalize [info script]]]
set out [file join [pwd] "build" $top]
foreach file [list [file join $here .. "$block.sv"] [file join $here "$top.sv"]] {
    if {![file isfile $file]} {
        error "there is no $file; `cargo rtl axis $block` prints the buses of a block"
    }
    read_verilog -sv $file
}
read_xdc -mode out_of_context [file join $here "clock.xdc"]
synth_design -top $top -part "xczu7ev-ffvc1156-2-e" -mode out_of_context
opt_design
place_design
phys_opt_design
route_design
file mkdir $out
report_utilization -file [file join $out "utilization.txt"]
report_timing_summary -file [file join $out "timing.txt"]
write_checkpoint -force [file join $out "routed.dcp"]
set slack [get_property SLACK [lindex [get_timing_paths -max_paths 1] 0]]
puts "$top: worst slack $slack ns of 4.000 ns"
if {$slack < 0} {
    error "$top does not reach 250 MHz"
}
