"""A certificate of the room's own, made by itself: it hides what is sent, and whoever compares the
fingerprint knows whose page it is."""

import ipaddress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from dpstudio.files.writing import replace_file

_DAYS = 30


def certificate(folder: Path, host: str) -> tuple[Path, str]:
    """The file with key and certificate for an address, made where there is none that still holds;
    and the SHA-256 fingerprint, in pairs. Raises OSError."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    path = folder / "room.pem"
    if not path.exists() or not _holds(path.read_bytes(), host):
        replace_file(path, _made(host), 0o600)
    made = x509.load_pem_x509_certificate(path.read_bytes())
    digest = sha256(made.public_bytes(Encoding.DER)).hexdigest().upper()
    return path, ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))


def _holds(content: bytes, host: str) -> bool:
    from cryptography import x509

    try:
        made = x509.load_pem_x509_certificate(content)
        names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    soon = datetime.now(UTC) + timedelta(days=1)
    named = _name(host) in names
    return named and soon < made.not_valid_after_utc


def _name(host: str):  # type: ignore[no-untyped-def]
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _made(host: str) -> bytes:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A survey in the room")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be late
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([_name(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + made.public_bytes(Encoding.PEM)
