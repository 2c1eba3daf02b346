"""Plays Connect6 through files as some students' programs do: each turn both files are removed and renamed
anew. Told to forge, it changes a stone of the other side."""
import os, sys, time

color, deed = sys.argv[1:3]
own, other = color + ".csv", {"black": "white", "white": "black"}[color] + ".csv"


def read(name):
    for _ in range(100):
        try:
            with open(name) as file:
                return file.read()
        except FileNotFoundError:
            time.sleep(0.001)
    return ""


def replace(name, text):
    if not text:
        return
    if deed == "forge" and name == other:
        text = text.replace("(", "(1", 1)
    with open(name + ".tmp", "w") as file:
        file.write(text)
    if os.path.exists(name):
        os.remove(name)
    time.sleep(0.03)
    os.rename(name + ".tmp", name)


def rows(text):
    return [row for row in text.splitlines() if row]


def stones(text):
    return [tuple(map(int, part.split(")")[0].split(","))) for part in text.split("(")[1:]]


while True:
    mine, theirs = (os.path.exists(name) and read(name) or "" for name in (own, other))
    turn = len(rows(theirs)) == len(rows(mine)) + (color == "white")
    if not turn:
        time.sleep(0.002)
        continue
    taken = set(stones(mine) + stones(theirs))
    free = [(row, column) for row in range(1, 16) for column in range(1, 16) if (row * 7 + column * 3) % 5 < 2]
    free = [cell for cell in free if cell not in taken]
    first = color == "black" and not mine
    last = (rows(mine)[-1:] + rows(theirs)[-1:]) or ["00/00/00"]
    second = max(int(row[6:8]) + 60 * int(row[3:5]) for row in last) + 1
    row = f"00/{second // 60:02}/{second % 60:02},{len(rows(mine)) + 1}"
    row += "".join(f',"({x},{y})"' for x, y in free[: 1 if first else 2])
    replace(other, theirs)
    replace(own, mine + row + "\n")
