"""The radio of the virtual machine: an adapter for the system's Bluetooth service, and simulated boards in its range.

This program simulates only the boards' radios. Each client of the socket named on the command line is one board, and
talks in lines of JSON. Its first line describes how the board advertises itself; each later line is an order to the
radio. Each line back is an event. All names, UUIDs and bytes come from the client.

    in   {"name": …, "address": …, "shows": "name" or "service", "service": …, "notify": [UUID, …], "write": UUID}
    in   {"say": [BYTE, …]}         notify these bytes on the first characteristic
    in   {"hang_up": true}          drop the link; the board advertises again
    out  {"on": true}               the board advertises itself
    out  {"linked": true or false}  the host has connected or disconnected
    out  {"written": [BYTE, …]}     the host has written these bytes

Closing the connection switches the board off.
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
    """The link between the controllers. It corrects the sender's address."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        # bumble would send with the controller's random address. Linux connects from its public address, so answers
        # would match no connection. This sends with the address of the connection.
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            asyncio.get_running_loop().call_soon(
                receiver.on_link_acl_data, connection.self_address, transport, data
            )


class Board:
    """One board's radio."""

    def __init__(self, air, looks, report):
        self.air = air
        self.report = report
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
            CharacteristicValue(write=lambda _, value: report({"written": list(value)})),
        )
        self.device.add_service(Service(looks["service"], [*self.notify, write]))
        # The name and the UUID together are too long for an advertisement, and bumble delivers no scan response.
        if looks["shows"] == "name":
            shown = (AdvertisingData.COMPLETE_LOCAL_NAME, looks["name"].encode())
        else:
            service = UUID(looks["service"]).to_bytes()
            shown = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, service)
        self.device.advertising_data = bytes(AdvertisingData([(AdvertisingData.FLAGS, bytes([6])), shown]))
        self.device.on("connection", self.linked)

    def linked(self, connection):
        self.report({"linked": True})
        connection.on("disconnection", lambda _: self.report({"linked": False}))

    async def switch_on(self):
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=True)
        self.report({"on": True})

    async def hang_up(self):
        for connection in list(self.device.connections.values()):
            await connection.disconnect()

    async def switch_off(self):
        await self.device.stop_advertising()
        await self.hang_up()
        self.air.remove_controller(self.controller)


async def serve(air, reader, writer):
    def report(what):
        print("event:", what, flush=True)
        writer.write(json.dumps(what).encode() + b"\n")

    board = None
    try:
        while line := await reader.readline():
            order = json.loads(line)
            if board is None:
                print("switched on:", order, flush=True)
                board = Board(air, order, report)
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
    # The controller claims these features, but does not report connections in the form that they require: Linux would
    # wait forever.
    controller.le_features &= ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)
    server = await asyncio.start_unix_server(lambda reader, writer: serve(air, reader, writer), sys.argv[1])
    await server.serve_forever()


asyncio.run(main())
