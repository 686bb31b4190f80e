"""A survey in the room: pages for its phones on the local network, off until asked for. aiohttp,
segno and cryptography are imported when a room is opened, a code drawn, a certificate made."""

from dpstudio.serve.door import Codes, Door, Open
from dpstudio.serve.intake import Counts
from dpstudio.serve.kept import RoomError, Standing
from dpstudio.serve.room import Room

__all__ = ["Codes", "Counts", "Door", "Open", "Room", "RoomError", "Standing"]
