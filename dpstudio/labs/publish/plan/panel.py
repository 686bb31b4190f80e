"""The side panel of the lab Plan: one ε of all, what the plan is for, and the question that is
written."""

from dpstudio.labs.panel import Design, Makes, OwnFile, Says, Section
from dpstudio.labs.publish.plan import editing
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon", "delta"), pinned=True),
    Section(N_("The plan is"), ("purpose",)),
    Section(N_("Solve for"), ("find",)),
    Section(
        N_("Question"),
        (
            Says("asked"),
            Makes(
                N_("Add a question"),
                N_("One more, which is written here and stands below all others"),
                editing.added,
                "asked.name",
            ),
            OwnFile(
                N_("Release this plan …"),
                N_("To the desk where it is paid for, drawn and published; nothing is paid yet"),
                "",
                write=editing.text_of,
                lacks=editing.lacks,
            ),
        ),
    ),
    Section(
        N_("Change this question"),
        (
            "asked",
            Makes(N_("Take this one out"), N_("The plan goes on without it"), editing.dropped),
            Makes(
                N_("Lock what it pays, or unlock it"),
                N_("Locked, it pays the same whatever the others do"),
                editing.locked,
            ),
        ),
        folded=True,
    ),
    Section(
        N_("More of this question"),
        (
            *("asked.importance", "asked.times", "asked.noise", "asked.spend"),
            *("asked.who", "asked.origin"),
        ),
        folded=True,
    ),
    Section(N_("One person is"), ("person", "whose", "rows", "confidence"), folded=True),
    Section(
        N_("Attested, four eyes"),
        (
            *("who", "origin", "types", "planner", "approval", "population"),
            Says("approval", "muted"),
            OwnFile(
                N_("Approve it with a key …"),
                N_("What is signed is shown first; who must approve it is chosen there, too"),
                "",
                write=editing.to_approve,
                read=editing.approved,
            ),
        ),
        folded=True,
    ),
    Section(
        N_("File"),
        (
            Says("charged", "muted"),
            Says("digest", "muted"),
            OwnFile(
                N_("Save the plan …"),
                N_("As a file with its digest, which dpstudio plan reads too"),
                "plan.json",
                write=editing.text_of,
            ),
            OwnFile(
                N_("Open a plan …"),
                N_("Its questions take the place of these; one step that can be undone"),
                "plan.json",
                read=editing.read,
            ),
        ),
        folded=True,
    ),
)
