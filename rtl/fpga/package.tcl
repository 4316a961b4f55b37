# Packages a block with its buses for Vivado's catalogue of IP:
#
#     vivado -mode batch -source rtl/fpga/package.tcl -tclargs add_sub_381
#
# Add the folder build/ip/add_sub_381_axis to a project's IP repositories, connect s_axis and m_axis to an AXI DMA of 64 bits and
# s_axil to the processor. Written by AMD's UG1118 for Vivado 2023.2 and later. Nobody has run it yet.
if {[llength $argv] != 1} {
    error "one argument, the name of a block: add_sub_381, keccak or mm_381_iterative"
}
set block [lindex $argv 0]
set top "${block}_axis"
set here [file dirname [file normalize [info script]]]
set out [file join [pwd] "build" "ip" $top]
create_project -in_memory -part "xczu7ev-ffvc1156-2-e"
add_files [list [file join $here .. "$block.sv"] [file join $here "$top.sv"]]
set_property top $top [current_fileset]
update_compile_order -fileset sources_1
ipx::package_project -root_dir $out -vendor "pairwright" -library "rtl" -taxonomy "/UserIP" -import_files -set_current true
set core [ipx::current_core]
set_property name $top $core
set_property display_name "Pairwright $block" $core
# The names of the ports say which bus they belong to; the clock and its reset serve all of them.
foreach bus {s_axis m_axis s_axil} {
    ipx::associate_bus_interfaces -busif $bus -clock aclk $core
}
ipx::associate_bus_interfaces -clock aclk -reset aresetn $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
