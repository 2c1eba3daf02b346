"""Speaks for a Python strategy in its cage: a JSON object a line comes in on file 3 and goes out on file 4.

The package for Python uses the functions, so that a strategy is understood there as it is here."""
import json, linecache, operator, os, sys, traceback, types


class Struct(dict):
    """A dict whose keys are attributes too, as Kaggle hands them over."""

    __getattr__ = dict.get


def short(text, length=300):
    return text if len(text) <= length else text[:length] + "…"


def describe(value):
    try:
        return short(f"{type(value).__name__} {value!r}") if value is not None else "None"
    except BaseException:
        return "a value that cannot be printed"


def raised(error):
    """The exception in a line; the whole traceback goes where the strategy prints."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    try:
        traceback.print_exception(type(error), error, error.__traceback__)
        said = short(str(error).replace("\n", " "))
    except BaseException:
        said = "…"
    where = f" (line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {said}{where}"


def whole(value):
    """The integer that the value is, as numpy's are, or equals, as 3.0 does."""
    try:
        return operator.index(value)
    except TypeError:
        number = int(value)
    if isinstance(value, (str, bytes)) or not bool(number == value):
        raise ValueError
    return number


def point(answer):
    """A tuple that equals one of (x, y); a list or anything else does not."""
    if not isinstance(answer, tuple) or len(answer) != 2:
        return {"odd": describe(answer)}
    try:
        x, y = (whole(value) for value in answer)
    except BaseException:
        return {"odd": describe(answer)}
    return {"point": [x, y]} if max(abs(x), abs(y)) < 1 << 31 else {"beyond": describe(answer)}


def column(answer):
    try:
        number = whole(answer)
    except BaseException:
        return {"odd": describe(answer)}
    return {"column": number} if abs(number) < 1 << 31 else {"beyond": describe(answer)}


def course(module):
    """The course's `ai(List_me, List_enemy, List_all)`; every call gets lists of its own."""
    ai = getattr(module, "ai", None)
    if not callable(ai):
        return "ai", None
    tuples = lambda cells: [tuple(cell) for cell in cells]
    return "ai", lambda order: point(ai(*(tuples(order[key]) for key in ("me", "enemy", "all"))))


def kaggle(module):
    """Kaggle's agent: the last callable of the file, with as many arguments as it takes."""
    callables = [value for value in vars(module).values() if callable(value)]
    if not callables:
        return "agent", None
    agent = callables[-1]
    code = getattr(agent, "__code__", None)
    count = code.co_argcount if code and not code.co_flags & 0x04 else 2

    def answer(order):
        arguments = [Struct(order["observation"]), Struct(order["configuration"])]
        return column(agent(*arguments[:count]))

    return "agent", answer


def load(path):
    with open(path, "rb") as file:
        source = file.read()
    text = source.decode("utf-8", "replace")
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    module = types.ModuleType(os.path.splitext(os.path.basename(name))[0])
    module.__file__ = name
    # Kaggle takes the last name of the file, so nothing may come after it.
    sys.modules[module.__name__] = module
    exec(compile(source, name, "exec"), module.__dict__)
    return module


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def tell(news):
    flush()
    os.write(4, json.dumps(news).encode() + b"\n")


if __name__ == "__main__":
    kind, path, name, folders = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    orders = os.fdopen(3, "r", encoding="utf-8")
    sys.argv[:] = [name]
    sys.path[:0] = folders
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    # Exiting would be silent; an answer that is not given is told.
    try:
        function, answer = {"course": course, "kaggle": kaggle}[kind](load(path))
    except BaseException as error:
        tell({"unloadable": raised(error)})
        os._exit(1)
    if answer is None:
        tell({"missing": function})
        os._exit(1)
    tell("ready")
    while line := orders.readline():
        try:
            news = answer(json.loads(line))
        except BaseException as error:
            news = {"raised": raised(error)}
        tell(news)
        tell("done")
    os._exit(0)
