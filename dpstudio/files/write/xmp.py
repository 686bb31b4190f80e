"""What made a picture, as the metadata inside a PDF (XMP, ISO 16684-1)."""

from collections.abc import Mapping

from dpstudio.files.write.svg_text import escaped

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_DC, _XMP = "http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/xap/1.0/"


def xmp(metadata: Mapping[str, str]) -> str:
    """The packet: title and description where every program looks for them, and each entry under
    its own name, whose words _ joins."""
    own = "".join(
        f"<dpstudio:{name}>{escaped(text)}</dpstudio:{name}>"
        for name, text in ((name.replace(" ", "_"), text) for name, text in metadata.items())
        if text
    )
    told = "".join(
        f'<dc:{tag}><rdf:Alt><rdf:li xml:lang="x-default">{escaped(metadata[name])}</rdf:li>'
        f"</rdf:Alt></dc:{tag}>"
        for tag, name in (("title", "Title"), ("description", "Caption"))
        if metadata.get(name)
    )
    tool = f"<xmp:CreatorTool>{escaped(metadata.get('Software', 'dpstudio'))}</xmp:CreatorTool>"
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>'
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="{_RDF}">'
        f'<rdf:Description rdf:about="" xmlns:dc="{_DC}" xmlns:xmp="{_XMP}" '
        f'xmlns:dpstudio="urn:dpstudio:">{told}{tool}{own}</rdf:Description></rdf:RDF>'
        '</x:xmpmeta><?xpacket end="w"?>'
    )
