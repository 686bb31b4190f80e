"""A bar above the pages that waits while one of them is presented: nothing but the page stands
then."""

from PySide6.QtWidgets import QFrame

from dpstudio.gui.parts.layout_pass import IdleStep


class WaitingBar(QFrame):
    """Hidden until there is something in it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.busy = False  # whether something stands in it, to be seen now or later
        self._waits = self._aside = False
        self.hide()

    def fill(self, busy: bool, urgent: bool = True) -> None:
        """There is something in it, or nothing any more; what is not `urgent` can wait."""
        self.busy, self._waits = busy, self._aside and not urgent
        seen = self.busy and not self._waits
        if self.isHidden() == seen:
            IdleStep.take()  # every chart below it gets another size
            self.setVisible(seen)

    def put_aside(self, aside: bool) -> None:
        """A page is presented, or none any more."""
        self._aside = aside
        self.fill(self.busy, not aside)
