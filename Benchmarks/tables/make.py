"""A list of invented people as CSV, and its first rows as a workbook:  make.py FOLDER ROWS SHEET_ROWS"""
import csv
import datetime
import sys

import openpyxl
from openpyxl.cell import WriteOnlyCell

folder, count, sheet_count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
names = "Ana Bo Cy Dirk Eva Finn Grete Hugo Ines Jürgen Zoë Łukasz".split()
head = "Id,First name,Last name,E-mail,Street,Postcode,Town,Country,Born,Amount".split(",")
book = openpyxl.Workbook(write_only=True)
sheet = book.create_sheet("People")
sheet.append(head)
with open(f"{folder}/people.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(head)
    for i in range(1, count + 1):
        born = datetime.date(1940 + i % 70, i % 12 + 1, i % 28 + 1)
        row = [i, names[i % 12], f"Miller{i % 977}", f"p{i}@example.org", f"Main Street {i % 200}, rear",
               f"{i % 99999:05d}", "Springfield", "Norway", born, round(i % 1000 + i % 100 / 100, 2)]
        table.writerow(row)
        if i <= sheet_count:
            day = WriteOnlyCell(sheet, value=born)
            day.number_format = "dd.mm.yyyy"
            sheet.append(row[:8] + [day, row[9]])
book.save(f"{folder}/people.xlsx")
