import Glibc
import Work

/// The settings a LibreOffice of ours begins with: no macros of documents, no updates of links, no look for a newer
/// version; and a macro of our own for what its C interface cannot do.
enum OfficeProfile {
    static func write(into folder: String) throws(ChildError) {
        for path in ["", "/user", "/user/basic", "/user/basic/Standard"] {
            guard mkdir(folder + path, 0o700) == 0 || errno == EEXIST else {
                throw .fileUnusable(folder + path, code: errno)
            }
        }
        for (path, text) in [
            ("registrymodifications.xcu", settings), ("basic/script.xlc", libraries),
            ("basic/Standard/script.xlb", library), ("basic/Standard/Quire.xba", macro),
        ] {
            guard let file = fopen("\(folder)/user/\(path)", "w") else {
                throw .fileUnusable(path, code: errno)
            }
            fputs(text, file)
            fclose(file)
        }
    }

    private static func item(_ path: String, _ name: String, _ value: String) -> String {
        """
        <item oor:path="/org.openoffice.\(path)"><prop oor:name="\(name)" oor:op="fuse"><value>\(value)</value></prop></item>

        """
    }

    private static let settings =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">

        """
        + item("Office.Common/Security/Scripting", "MacroSecurityLevel", "3")
        + item("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true")
        + item("Office.Writer/Content/Update", "Link", "0")
        + item("Office.Calc/Content/Update", "Link", "2")
        + item("Office.Common/Save/Document", "AutoSave", "false")
        + item("Office.Common/Save/Document", "CreateBackup", "false")
        + item("Office.Recovery/RecoveryInfo", "Enabled", "false")
        + item("Office.Common/Misc", "FirstRun", "false")
        + item("Setup/Office", "ooSetupInstCompleted", "true")
        + "</oor:items>\n"

    private static let doctype = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE library:"

    private static let libraries =
        doctype
            + """
            libraries PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "libraries.dtd">
            <library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink">
             <library:library library:name="Standard" xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/>
            </library:libraries>

            """

    private static let library =
        doctype
            + """
            library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
            <library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false">
             <library:element library:name="Quire"/>
            </library:library>

            """

    private static let macro = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
        <script:module xmlns:script="http://openoffice.org/2000/script" script:name="Quire" script:language="StarBasic">
        Sub Prepare(words As String)
          On Error Resume Next
          Dim papers, paper
          papers = StarDesktop.Components.createEnumeration()
          Do While papers.hasMoreElements()
            paper = papers.nextElement()
            If InStr(words, "landscape") &gt; 0 Then Turn(paper)
            If InStr(words, "nochanges") &gt; 0 Then
              Accept(paper)
            ElseIf InStr(words, "changes") &gt; 0 Then
              paper.ShowChanges = True
            End If
            If InStr(words, "indexes") &gt; 0 Then Renew(paper)
            If InStr(words, "bounds") &gt; 0 Then Bound(paper)
          Loop
        End Sub

        REM Marks that are only hidden from the screen are printed all the same.
        Sub Accept(paper)
          On Error Resume Next
          Dim dispatcher, none()
          dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
          dispatcher.executeDispatch(paper.CurrentController.Frame, ".uno:AcceptAllTrackedChanges", "", 0, none())
        End Sub

        REM Before each page LibreOffice breaks all of a sheet that has no print range into pages, down to the millionth
        REM row. A range spares it that. One that ends more than a thousand rows below the last cell is cut by
        REM LibreOffice to what it would have printed without any; that holds where nothing but cells is to be seen.
        Sub Bound(paper)
          On Error Resume Next
          Dim i, areas()
          For i = 0 To paper.Sheets.Count - 1
            areas = paper.Sheets.getByIndex(i).getPrintAreas()
            If UBound(areas) &gt;= 0 Then Exit Sub
          Next i
          For i = 0 To paper.Sheets.Count - 1
            BoundSheet(paper.Sheets.getByIndex(i))
          Next i
        End Sub

        Sub BoundSheet(sheet)
          On Error Resume Next
          Dim area, filled, column, row, lastColumn, lastRow, i
          If Not sheet.IsVisible Or sheet.DrawPage.Count &gt; 0 Then Exit Sub
          REM Values, times, texts and formulas
          filled = sheet.queryContentCells(23).getRangeAddresses()
          column = -1
          row = -1
          For i = 0 To UBound(filled)
            If filled(i).EndColumn &gt; column Then column = filled(i).EndColumn
            If filled(i).EndRow &gt; row Then row = filled(i).EndRow
          Next i
          If column &lt; 0 Or row &gt; 100000 Then Exit Sub
          lastColumn = sheet.Columns.Count - 1
          lastRow = sheet.Rows.Count - 1
          If Not IsPlain(sheet.getCellRangeByPosition(0, row + 1, lastColumn, lastRow)) Then Exit Sub
          If Not IsPlain(sheet.getCellRangeByPosition(column + 1, 0, lastColumn, row)) Then Exit Sub
          area = sheet.RangeAddress
          area.EndRow = row + 2000
          sheet.setPrintAreas(Array(area))
        End Sub

        REM Whether these empty cells show neither a colour nor a line.
        Function IsPlain(cells) As Boolean
          Dim formats, cell, i
          IsPlain = False
          On Error GoTo Unsure
          formats = cells.getUniqueCellFormatRanges()
          If formats.Count &gt; 8 Then Exit Function
          For i = 0 To formats.Count - 1
            cell = formats.getByIndex(i).getByIndex(0).getCellByPosition(0, 0)
            If Not cell.IsCellBackgroundTransparent Or cell.ShadowFormat.Location &lt;&gt; 0 Then Exit Function
            If Shows(cell.TopBorder) Or Shows(cell.BottomBorder) Or Shows(cell.LeftBorder) Then Exit Function
            If Shows(cell.RightBorder) Or Shows(cell.DiagonalTLBR) Or Shows(cell.DiagonalBLTR) Then Exit Function
          Next i
          IsPlain = True
        Unsure:
        End Function

        Function Shows(edge) As Boolean
          Shows = edge.OuterLineWidth &lt;&gt; 0 Or edge.InnerLineWidth &lt;&gt; 0
        End Function

        Sub Turn(paper)
          On Error Resume Next
          Dim styles, style, i, width
          styles = paper.StyleFamilies.getByName("PageStyles")
          For i = 0 To styles.Count - 1
            style = styles.getByIndex(i)
            If style.Width &lt; style.Height Then
              width = style.Width
              style.IsLandscape = True
              style.Width = style.Height
              style.Height = width
            End If
          Next i
        End Sub

        Sub Renew(paper)
          On Error Resume Next
          Dim i
          paper.refresh()
          For i = 0 To paper.DocumentIndexes.Count - 1
            paper.DocumentIndexes.getByIndex(i).update()
          Next i
          paper.TextFields.refresh()
        End Sub
        </script:module>

        """
}
