"""The air of the machine: an adapter for the system's Bluetooth service, and boards' radios in its reach.

A board here is its radio only. Whoever connects to the socket named on the command line is one board's inside: a line
of JSON says how the board shows itself, each later one is something that it does; each line back is something that
happened to it. Names and numbers of services come from there, and so does every byte.

    in   {"name": …, "address": …, "shows": "name" or "service", "service": …, "notify": [UUID, …], "write": UUID}
    in   {"say": [BYTE, …]}         notify this, on the first characteristic
    in   {"hang_up": true}          lose the link; the board can be found again
    out  {"on": true}               it can be found
    out  {"linked": true or false}
    out  {"written": [BYTE, …]}

When the other end is closed the board is switched off.
"""

import asyncio
import json
import sys

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport


class Air(LocalLink):
    """What controllers send each other."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        # bumble takes a sender's random address for its own. Linux connects from the public one, and answers to it
        # would find no connection: the address is the connection's.
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            asyncio.get_running_loop().call_soon(
                receiver.on_link_acl_data, connection.self_address, transport, data
            )


class Board:
    """One board's radio."""

    def __init__(self, air, looks, tell):
        self.air = air
        self.tell = tell
        self.controller = Controller(looks["name"], link=air)
        host = Host()
        host.controller = self.controller
        self.device = Device(name=looks["name"], address=Address(looks["address"]), host=host)
        can = Characteristic.Properties
        self.notify = [
            Characteristic(number, can.NOTIFY, Characteristic.READABLE, b"") for number in looks["notify"]
        ]
        write = Characteristic(
            looks["write"],
            can.WRITE | can.WRITE_WITHOUT_RESPONSE,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=lambda _, value: tell({"written": list(value)})),
        )
        self.device.add_service(Service(looks["service"], [*self.notify, write]))
        # Both together are longer than an advertisement may be, and bumble hands on no scan response.
        if looks["shows"] == "name":
            shown = (AdvertisingData.COMPLETE_LOCAL_NAME, looks["name"].encode())
        else:
            service = UUID(looks["service"]).to_bytes()
            shown = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, service)
        self.device.advertising_data = bytes(AdvertisingData([(AdvertisingData.FLAGS, bytes([6])), shown]))
        self.device.on("connection", self.linked)

    def linked(self, connection):
        self.tell({"linked": True})
        connection.on("disconnection", lambda _: self.tell({"linked": False}))

    async def switch_on(self):
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=True)
        self.tell({"on": True})

    async def hang_up(self):
        for connection in list(self.device.connections.values()):
            await connection.disconnect()

    async def switch_off(self):
        await self.device.stop_advertising()
        await self.hang_up()
        self.air.remove_controller(self.controller)


async def serve(air, reader, writer):
    def tell(what):
        print("told:", what, flush=True)
        writer.write(json.dumps(what).encode() + b"\n")

    board = None
    try:
        while line := await reader.readline():
            order = json.loads(line)
            if board is None:
                print("switched on:", order, flush=True)
                board = Board(air, order, tell)
                await board.switch_on()
            elif "say" in order:
                await board.device.notify_subscribers(board.notify[0], bytes(order["say"]))
            elif "hang_up" in order:
                print("the link is lost", flush=True)
                await board.hang_up()
    finally:
        if board is not None:
            print("switched off", flush=True)
            await board.switch_off()


async def main():
    adapter = await open_transport("vhci")
    air = Air()
    controller = Controller(
        "adapter",
        host_source=adapter.source,
        host_sink=adapter.sink,
        link=air,
        public_address="00:11:22:33:44:55",
    )
    # It claims these and does not report connections as they ask for; Linux would wait for that.
    controller.le_features &= ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)
    server = await asyncio.start_unix_server(lambda reader, writer: serve(air, reader, writer), sys.argv[1])
    await server.serve_forever()


asyncio.run(main())
