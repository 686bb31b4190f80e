"""A page of the manual as it lies over the charts: in the type and inks of the window, with
pictures no wider than itself."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFont,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPagedPaintDevice,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QMenu, QTextBrowser, QVBoxLayout

from dpstudio.files.assets import asset
from dpstudio.files.manual import ManualPage, anchor, manual_pages, page_at
from dpstudio.gui.parts import buttons, labels, theme
from dpstudio.gui.parts.tr import Again, shown, tr
from dpstudio.values.latex import latex
from dpstudio.values.messages import N_, Message, say

# Sizes in px at normal type: of text, of each level of headings, of the code in it.
TEXT, HEADINGS, CODE = 14, (22, 17, 15, 14), 13
FIXED = ["DejaVu Sans Mono", "Menlo", "Consolas", "monospace"]
MARGIN = 24
PAPER = 700  # px, about the width of a page that is printed
PICTURE = "\ufffc"  # what stands in a text for one
LEADING, CELL = 140, 115  # the height of a line in percent of its type; of one in a table
_MARKDOWN = QTextDocument.ResourceType.MarkdownResource


class PageReader(QTextBrowser):
    """Shows pages one after the other. `away(address)`: a link leads out of the manual."""

    away = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.look = theme.Look()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._wide = 0
        self.setAccessibleName(tr(N_("Manual")))
        self.anchorClicked.connect(self._follow)
        self.sourceChanged.connect(self._on_source)

    def read(self, page: ManualPage, heading: str = "") -> None:
        """Show a page from its top, or from a heading."""
        url = QUrl.fromLocalFile(str(page.path))
        if heading:
            url.setFragment(anchor(heading))
        self.setSource(url, _MARKDOWN)

    def dress(self, look: theme.Look) -> None:
        """Take another look, at the same place of the page."""
        self.look = look
        self._again()

    def retell(self, _: Again) -> None:
        """The same page in another language."""
        self._again()

    def _again(self) -> None:
        if not self.source().isEmpty():
            bar = self.verticalScrollBar()
            share = bar.value() / max(1, bar.maximum())
            self.document().clear()  # and with it its pictures
            self.reload()
            bar.setValue(round(share * bar.maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._wide:  # else only its bar came or went
            self._wide = self.width()
            self._again()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """What a page names; a picture is made as narrow as the page."""
        url = self.source().resolved(QUrl(name))
        if kind == _MARKDOWN.value and (page := page_at(url.toLocalFile())) is not None:
            return page.said
        if kind != QTextDocument.ResourceType.ImageResource.value or not url.isLocalFile():
            return super().loadResource(kind, QUrl(name)) if url.isLocalFile() else None
        image, dots = QImage(url.toLocalFile()), self.devicePixelRatioF()
        around = 2 * self.look.px(MARGIN) + self.verticalScrollBar().sizeHint().width()
        room = round((self.width() - around) * dots)
        if image.width() > room:
            image = image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(dots)
        return image

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu(event.pos()).exec(event.globalPos())

    def menu(self, at: QPoint) -> QMenu:
        """What can be done there; a formula that is selected is copied as LaTeX too."""
        menu = self.createStandardContextMenu(at)
        formula = self.textCursor().selectedText()
        if formula:
            copy = menu.addAction(tr(N_("Copy as LaTeX")))
            copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(latex(formula)))
        return menu

    def _follow(self, link: QUrl) -> None:
        url = self.source().resolved(link)
        path = url.toLocalFile()
        if path.startswith(f"{asset('help').as_posix()}/") and path.endswith(".md"):
            self.setSource(url, _MARKDOWN)
        else:
            self.away.emit(link.toString())

    def _on_source(self, url: QUrl) -> None:
        self._dress_text()
        wanted, page = url.fragment(), page_at(url.toLocalFile())
        if page is not None:  # links and terms name a heading as it is in English
            english = map(anchor, (page.title, *page.headings))
            wanted = dict(zip(english, map(anchor, page.headed), strict=True)).get(wanted, wanted)
        for block in self._blocks():
            if wanted and block.blockFormat().headingLevel() and anchor(block.text()) == wanted:
                top = self.document().documentLayout().blockBoundingRect(block).top()
                self.verticalScrollBar().setValue(round(top))

    # Its look: Qt lays Markdown out by its own taste

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _dress_text(self) -> None:
        document, look = self.document(), self.look
        document.setDefaultFont(look.font(TEXT))
        document.setDocumentMargin(look.px(MARGIN))
        document.setIndentWidth(look.px(20))
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for block in list(self._blocks()):
            self._dress_block(cursor, block)
        for place, length, form in list(self._marked()):
            cursor.setPosition(place)
            cursor.setPosition(place + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._dress_table(frame)
        cursor.endEditBlock()
        document.setUndoRedoEnabled(False)

    def _dress_block(self, cursor: QTextCursor, block: QTextBlock) -> None:
        """Its lines apart, and a heading as large as its level."""
        cursor.setPosition(block.position())
        space, level = QTextBlockFormat(), block.blockFormat().headingLevel()
        space.setNonBreakableLines(False)
        code, pictured = _fenced(block), PICTURE in block.text()
        leading = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        space.setLineHeight(100 if level or code or pictured else LEADING, leading)
        if code:
            space.setBackground(theme.frame_color(self.look, "side"))
        if level:
            space.setTopMargin(self.look.px(0 if level == 1 else 16))
            space.setBottomMargin(self.look.px(8 if level == 1 else 4))
        elif cursor.currentTable() is not None:
            space.setLineHeight(CELL, leading)
        elif block.textList() is None or block.next().textList() is None:
            space.setBottomMargin(self.look.px(0 if code and _fenced(block.next()) else 8))
        cursor.mergeBlockFormat(space)

    def _marked(self) -> Iterator[tuple[int, int, QTextCharFormat]]:
        """Where headings, code and links stand in it, each as it should look."""
        for block in self._blocks():
            level, inside = block.blockFormat().headingLevel(), block.begin()
            while not inside.atEnd():
                piece = inside.fragment()
                form = piece.charFormat()
                if level:
                    form.clearProperty(QTextFormat.Property.FontSizeAdjustment)
                    size = HEADINGS[min(level, len(HEADINGS)) - 1]
                    form.setProperty(QTextFormat.Property.FontPixelSize, self.look.px(size))
                    form.setFontWeight(QFont.Weight.DemiBold)
                elif form.fontFixedPitch():
                    form.setFontFamilies(FIXED)
                    form.setProperty(QTextFormat.Property.FontPixelSize, self.look.px(CODE))
                    form.setBackground(theme.frame_color(self.look, "side"))
                elif form.fontWeight() > QFont.Weight.DemiBold:  # heavier than any type here
                    form.setFontWeight(QFont.Weight.DemiBold)
                if form.isAnchor():
                    form.setForeground(self.look.color("accent"))
                    form.setFontUnderline(True)
                if form != piece.charFormat():
                    yield piece.position(), piece.length(), form
                inside += 1

    def _dress_table(self, table: QTextTable) -> None:
        form = table.format()
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QBrush(QColor(theme.frame_color(self.look, "line"))))
        form.setBorderCollapse(True)
        form.setCellPadding(self.look.px(5))
        form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        form.setTopMargin(self.look.px(6))
        form.setBottomMargin(self.look.px(12))
        table.setFormat(form)


def _fenced(block: QTextBlock) -> bool:
    """Whether it is a line of code that stands by itself."""
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


class ManualPane(QFrame):
    """A page with the ways to others. `left`: a person is done with it; `index`: the first page is
    wanted."""

    left = Signal()
    index = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.reader = PageReader()
        self.back = buttons.push("←", "quiet", tip=tr(N_("Back: Alt+Left")))
        self.onwards = buttons.push("→", "quiet", tip=tr(N_("Forward: Alt+Right")))
        self.contents = buttons.push(tr(N_("Contents")), "quiet")
        self.shut = buttons.push("×", "quiet", tip=tr(N_("Close the manual: Esc")))
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr(N_("Search the manual")))
        self.search.setAccessibleName(tr(N_("Search the manual")))
        self.search.returnPressed.connect(self.look_for)
        self.paper = buttons.push(tr(N_("Print …")), "quiet")
        self.paper.clicked.connect(self._on_print)
        self.note = labels.label("", "muted", wrap=True)
        self.note.setContentsMargins(MARGIN, 4, MARGIN, 8)
        self.note.hide()
        for button, act in (
            (self.back, self.reader.backward),
            (self.onwards, self.reader.forward),
            (self.contents, self.index),
            (self.shut, self.left),
        ):
            button.clicked.connect(act)
        self.reader.backwardAvailable.connect(self.back.setEnabled)
        self.reader.forwardAvailable.connect(self.onwards.setEnabled)
        self.reader.sourceChanged.connect(self.note.hide)
        self.reader.away.connect(self._on_away)
        for button in (self.back, self.onwards):
            button.setAccessibleName(button.toolTip())
            button.setEnabled(False)
        self.shut.setAccessibleName(self.shut.toolTip())
        row, column = QHBoxLayout(), QVBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 0)
        for button in (self.back, self.onwards, self.contents):
            row.addWidget(button)
        row.addWidget(self.search, 1)
        row.addWidget(self.paper)
        row.addWidget(self.shut)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.reader, 1)
        column.addWidget(self.note)

    def look_for(self) -> None:
        """Go to the next place where the manual has what is typed: further down this page, else on
        the next one that has it, the first after the last."""
        sought = self.search.text().strip()
        if not sought or self.reader.find(sought):
            return
        pages, here = manual_pages(), self.reader.source().toLocalFile()
        at = next((n for n, page in enumerate(pages) if str(page.path) == here), -1)
        for page in (*pages[at + 1 :], *pages[: at + 1]):
            if sought.casefold() in page.said.casefold():
                self.reader.read(page)
                self.reader.moveCursor(QTextCursor.MoveOperation.Start)
                if self.reader.find(sought):
                    return
        self._say(say("“{sought}” stands nowhere in the manual.", sought=sought))

    def _on_print(self) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self)
        dialog.accepted.connect(lambda: self.print_on(printer))
        dialog.setModal(True)
        dialog.show()

    def print_on(self, paper: QPagedPaintDevice) -> None:
        """Print the page, dark on white whatever the window wears."""
        copy = PageReader()
        copy.setParent(self)
        copy.hide()
        copy.resize(PAPER, PAPER)
        copy.setSource(self.reader.source(), _MARKDOWN)
        copy.document().print_(paper)
        copy.deleteLater()

    def _on_away(self, address: str) -> None:
        """Nothing is opened that is not of the manual: a person may go there by other means."""
        from PySide6.QtGui import QGuiApplication

        QGuiApplication.clipboard().setText(address)
        told = say("Copied: {address} (nothing outside the manual is opened)", address=address)
        self._say(told)

    def _say(self, told: Message) -> None:
        self.note.setText(shown(told))
        self.note.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()
        elif event.matches(QKeySequence.StandardKey.Print):
            self._on_print()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.reader.keyPressEvent(event)
        else:
            super().keyPressEvent(event)
