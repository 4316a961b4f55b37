# The one clock of a block with its buses: 250 MHz, a guess that a report of timing has to confirm. `build.tcl` reads it out of
# context, where no buffer and no pin drives the clock.
create_clock -name aclk -period 4.000 [get_ports aclk]
# What drives the ports and what reads them take a quarter of the period each.
set inputs [filter [all_inputs] {NAME != aclk}]
set_input_delay -clock aclk 1.000 $inputs
set_output_delay -clock aclk 1.000 [all_outputs]
