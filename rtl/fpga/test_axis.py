"""A block behind its buses, driven as its users drive it: streams that stall on both sides, registers, bad frames, resets.

`bench.py` compiles a block and runs this. Inputs change at the falling edge of the clock, and what is then read decides at the
rising one. Results are judged by Python's integers and `hashlib`.
"""

import hashlib
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

WORD = 64
MASK = (1 << WORD) - 1
Q = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
RADIX = 1 << 384

IDENTITY, WORDS, TIMES, STATUS, ENTERED, FINISHED, HALTED, CONTROL = range(0, 32, 4)


def words(value, number):
    """The words of an integer, the lowest first."""
    return [value >> WORD * i & MASK for i in range(number)]


def residue(rng):
    """A residue, often one at an end of the range."""
    return rng.choice([0, 1, Q - 1, Q - 2, Q // 2]) if rng.random() < 0.2 else rng.randrange(Q)


def sum_or_difference(rng):
    """Operands of `add_sub_381` and the result."""
    subtract, a, b = rng.randrange(2), residue(rng), residue(rng)
    return [subtract, *words(a, 6), *words(b, 6)], words((a - b if subtract else a + b) % Q, 6)


def product(rng):
    """Operands of a Montgomery multiplier and the result."""
    a, b = residue(rng), residue(rng)
    return words(a, 6) + words(b, 6), words(a * b * pow(RADIX, -1, Q) % Q, 6)


def permutation(rng):
    """A message as SHAKE128 absorbs it, and the 21 lanes of the digest: the four others of the state are not judged."""
    message = rng.randbytes(rng.randrange(168))
    padded = bytearray(message.ljust(168, b"\0"))
    padded[len(message)] ^= 0x1F
    padded[167] ^= 0x80
    state = int.from_bytes(padded, "little")
    digest = hashlib.shake_128(message).digest(168)
    return words(state, 25), words(int.from_bytes(digest, "little"), 21) + [None] * 4


# The operation, the latency and the interval of the block.
BLOCKS = {
    "add_sub_381": (sum_or_difference, 1, 1),
    "keccak": (permutation, 24, 24),
    "mm_381_iterative": (product, 8, 6),
}
FAULT = int(os.environ.get("PAIRWRIGHT_FAULT", "0"))
OPERATION, LATENCY, INTERVAL = BLOCKS[os.environ["PAIRWRIGHT_BLOCK"]]
IN_WORDS, OUT_WORDS = (len(part) for part in OPERATION(random.Random(0)))


class Bus:
    """The block's buses: what waits to be sent, and what has come."""

    def __init__(self, dut, seed):
        self.dut = dut
        self.rng = random.Random(seed)
        self.stalls = 0.0
        self.holds = False
        self.cycle = 0
        self.to_send = []
        self.sent_at = []
        self.came = []
        for signal in ("s_axis_tvalid", "s_axis_tlast", "m_axis_tready", "s_axil_awvalid", "s_axil_wvalid"):
            getattr(dut, signal).value = 0
        for signal in ("s_axil_bready", "s_axil_arvalid", "s_axil_rready", "aresetn"):
            getattr(dut, signal).value = 0

    async def begin(self):
        """Starts the clock and resets the block, with the fault that is asked for."""
        if FAULT:
            self.dut.shell.planted.value = FAULT
        cocotb.start_soon(Clock(self.dut.aclk, 10, "ns").start())
        for _ in range(3):
            await FallingEdge(self.dut.aclk)
        self.dut.aresetn.value = 1
        cocotb.start_soon(self.send())
        cocotb.start_soon(self.receive())
        cocotb.start_soon(self.count())

    async def count(self):
        while True:
            await FallingEdge(self.dut.aclk)
            self.cycle += 1

    async def send(self):
        """Sends words. A word that was offered stays until it is taken."""
        dut, offered = self.dut, False
        while True:
            await FallingEdge(dut.aclk)
            offered = bool(self.to_send) and (offered or self.rng.random() >= self.stalls)
            dut.s_axis_tvalid.value = int(offered)
            if offered:
                dut.s_axis_tdata.value, dut.s_axis_tlast.value = self.to_send[0]
            await ReadOnly()
            if offered and dut.s_axis_tready.value:
                self.to_send.pop(0)
                self.sent_at.append(self.cycle)
                offered = False

    async def receive(self):
        """Receives words, and checks that a word that waits stays as it is."""
        dut, waiting = self.dut, None
        while True:
            await FallingEdge(dut.aclk)
            ready = not self.holds and self.rng.random() >= self.stalls
            dut.m_axis_tready.value = int(ready)
            await ReadOnly()
            if not dut.m_axis_tvalid.value:
                assert waiting is None or not dut.aresetn.value, "a word was withdrawn"
                continue
            word = int(dut.m_axis_tdata.value), int(dut.m_axis_tlast.value)
            assert waiting in (None, word), "a word changed while it waited"
            waiting = None if ready else word
            if ready:
                self.came.append((word, self.cycle))

    def operate(self, number):
        """Queues operations; returns the words that should come."""
        expected = []
        for _ in range(number):
            operands, result = OPERATION(self.rng)
            self.queue(operands)
            expected += [(word, int(i == OUT_WORDS - 1)) for i, word in enumerate(result)]
        return expected

    def queue(self, frame):
        """Queues the words of a frame."""
        self.to_send += [(word, int(i == len(frame) - 1)) for i, word in enumerate(frame)]

    async def until(self, number):
        """Waits until so many words have come."""
        end = self.cycle + 200 + 40 * (number + len(self.to_send)) * (1 + INTERVAL)
        while len(self.came) < number:
            await FallingEdge(self.dut.aclk)
            assert self.cycle < end, f"{len(self.came)} of {number} words have come"

    def judge(self, expected):
        """Compares what has come with what should come, and forgets it."""
        assert len(self.came) == len(expected)
        for i, (((word, last), _), (wanted, wanted_last)) in enumerate(zip(self.came, expected)):
            assert last == wanted_last, f"word {i} has tlast {last}"
            assert wanted is None or word == wanted, f"word {i} is {word:#x} and not {wanted:#x}"
        self.came.clear()

    async def read(self, address):
        """Reads a register; returns the response and the value."""
        dut = self.dut
        await FallingEdge(dut.aclk)
        dut.s_axil_araddr.value, dut.s_axil_arvalid.value, dut.s_axil_rready.value = address, 1, 0
        await ReadOnly()
        while not dut.s_axil_arready.value:
            await FallingEdge(dut.aclk)
            await ReadOnly()
        await FallingEdge(dut.aclk)
        dut.s_axil_arvalid.value, dut.s_axil_rready.value = 0, 1
        await ReadOnly()
        while not dut.s_axil_rvalid.value:
            await FallingEdge(dut.aclk)
            await ReadOnly()
        answer = int(dut.s_axil_rresp.value), int(dut.s_axil_rdata.value)
        await FallingEdge(dut.aclk)
        dut.s_axil_rready.value = 0
        return answer

    async def write(self, address, value, strobes=15):
        """Writes a register, the data some cycles after the address; returns the response."""
        dut = self.dut
        await FallingEdge(dut.aclk)
        dut.s_axil_awaddr.value, dut.s_axil_awvalid.value = address, 1
        for _ in range(self.rng.randrange(3)):
            await ReadOnly()
            assert not dut.s_axil_awready.value, "an address was taken without data"
            await FallingEdge(dut.aclk)
        dut.s_axil_wdata.value, dut.s_axil_wstrb.value, dut.s_axil_wvalid.value = value, strobes, 1
        await ReadOnly()
        while not (dut.s_axil_awready.value and dut.s_axil_wready.value):
            await FallingEdge(dut.aclk)
            await ReadOnly()
        await FallingEdge(dut.aclk)
        dut.s_axil_awvalid.value, dut.s_axil_wvalid.value, dut.s_axil_bready.value = 0, 0, 1
        await ReadOnly()
        while not dut.s_axil_bvalid.value:
            await FallingEdge(dut.aclk)
            await ReadOnly()
        response = int(dut.s_axil_bresp.value)
        await FallingEdge(dut.aclk)
        dut.s_axil_bready.value = 0
        return response


async def begun(dut, seed):
    """A bus that is out of its reset."""
    bus = Bus(dut, seed)
    await bus.begin()
    return bus


@cocotb.test()
async def streams_with_stalls(dut):
    """Every result is right and in its place, whatever stalls."""
    bus = await begun(dut, 1)
    total = 0
    for stalls in (0.0, 0.3, 0.8):
        bus.stalls = stalls
        expected = bus.operate(40)
        await bus.until(len(expected))
        bus.judge(expected)
        total += 40
    assert await bus.read(ENTERED) == (0, total)
    assert await bus.read(FINISHED) == (0, total)
    assert await bus.read(STATUS) == (0, 0)


@cocotb.test()
async def a_result_that_waits_halts_the_block(dut):
    """Operands enter while there is room for results, and nothing is lost when nobody reads."""
    bus = await begun(dut, 2)
    bus.holds = True
    expected = bus.operate(3 + 2 * LATENCY)
    for _ in range((IN_WORDS + INTERVAL) * (4 + 2 * LATENCY)):
        await FallingEdge(dut.aclk)
    assert bus.to_send and not bus.came
    assert (await bus.read(HALTED))[1] > 0
    assert await bus.read(FINISHED) == (0, 1)
    bus.holds = False
    await bus.until(len(expected))
    bus.judge(expected)


@cocotb.test()
async def operations_follow_one_another_in_time(dut):
    """Without stalls an operation takes a cycle a word and one more, of operands or results, or the block's interval."""
    bus = await begun(dut, 3)
    number = 24
    expected = bus.operate(number)
    await bus.until(len(expected))
    lasts = [cycle for (_, last), cycle in bus.came if last]
    steps = [b - a for a, b in zip(lasts, lasts[1:])]
    wanted = max(IN_WORDS + 1, INTERVAL, OUT_WORDS + 1)
    assert steps[2:] == [wanted] * (number - 3), steps
    first = bus.came[0][1] - bus.sent_at[IN_WORDS - 1]
    assert first == LATENCY + 2, f"the first word of a result came {first} cycles after the last operand"
    bus.judge(expected)


@cocotb.test()
async def frames_of_other_lengths_are_dropped_and_noted(dut):
    """A frame that is too short or too long leaves no trace but the note."""
    bus = await begun(dut, 4)
    bus.stalls = 0.3
    expected = []
    for length in (1, IN_WORDS - 1, IN_WORDS + 1, 3 * IN_WORDS):
        assert await bus.write(STATUS, 2) == 0
        assert (await bus.read(STATUS))[1] & 2 == 0
        bus.queue([bus.rng.getrandbits(WORD) for _ in range(length)])
        expected += bus.operate(2)
        await bus.until(len(expected))
        assert (await bus.read(STATUS))[1] & 2 == 2
        # Without the strobe of its byte the note stays.
        assert await bus.write(STATUS, 2, strobes=14) == 0
        assert (await bus.read(STATUS))[1] & 2 == 2
    bus.judge(expected)


@cocotb.test()
async def registers_tell_what_the_block_is(dut):
    """Constants, and refusals of what is not there."""
    bus = await begun(dut, 5)
    assert await bus.read(IDENTITY) == (0, int.from_bytes(b"PWRT", "big"))
    assert await bus.read(WORDS) == (0, OUT_WORDS << 16 | IN_WORDS)
    assert await bus.read(TIMES) == (0, INTERVAL << 16 | LATENCY)
    assert await bus.read(CONTROL) == (0, 0)
    assert (await bus.read(IDENTITY + 2))[0] == 2
    assert await bus.write(ENTERED, 1) == 2
    assert await bus.read(ENTERED) == (0, 0)


@cocotb.test()
async def a_reset_drops_what_is_in_flight(dut):
    """After a reset by the register nothing of before comes out, and the counters begin anew."""
    bus = await begun(dut, 6)
    for when in range(1, 2 * LATENCY + IN_WORDS + 4, 3):
        bus.operate(1)
        while bus.to_send:
            await FallingEdge(dut.aclk)
        for _ in range(when):
            await FallingEdge(dut.aclk)
        assert await bus.write(CONTROL, 1) == 0
        for _ in range(2):
            await FallingEdge(dut.aclk)
        # What had left before the reset is right to have left.
        bus.came.clear()
        assert await bus.read(ENTERED) == (0, 0)
        assert await bus.read(FINISHED) == (0, 0)
        expected = bus.operate(2)
        await bus.until(len(expected))
        for _ in range(2 * LATENCY + OUT_WORDS + 4):
            await FallingEdge(dut.aclk)
        bus.judge(expected)
        assert await bus.read(FINISHED) == (0, 2)
