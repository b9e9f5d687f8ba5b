from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Server
from test_client import KEY, client, refusal

from drawbridge import AsyncDrawbridge
from drawbridge.__main__ import generate, main
from drawbridge._write_catalog import write_catalog
from drawbridge.catalog import CatalogSchemas, read_catalog, read_catalog_async
from drawbridge.validate import validate_input


def prop(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "displayName": "Name", "required": False, "description": "", "refreshers": [], "options": [], **more}


BOOK = {
    "amount": prop("NUMBER", required=True, description="In cents."),
    "account": prop("STATIC_DROPDOWN", options=[{"label": "A", "value": "a"}, {"label": "B", "value": 2}]),
    "tags": prop("STATIC_MULTI_SELECT", options=[{"label": "A", "value": "a"}]),
    "due-at": prop("DATE_TIME"),
    "invoice": prop("FILE"),
    "extra": prop("DYNAMIC"),
    "raw": prop("JSON"),
}
PAY = {"to": prop("SHORT_TEXT", required=True, description='A "name"\\'), "urgent": prop("CHECKBOX")}


def integration(name: str, **actions: dict[str, Any]) -> dict[str, Any]:
    named = {key: {"name": key, "displayName": key, "description": 'Books an\namount. """', "props": props} for key, props in actions.items()}
    about = {"description": "", "logoUrl": "", "categories": [], "auth": None, "triggers": {}}
    return {"name": name, "displayName": "ERP of ours", **about, "actions": named}


LIST = {"integrations": [integration("our-erp", book=BOOK, pay=PAY, ping={}), integration("other")], "total": 2, "registered": []}


@pytest.fixture
def instance(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    server.replies = [(200, LIST, {})]
    monkeypatch.setenv("DRAWBRIDGE_URL", server.url)
    monkeypatch.setenv("DRAWBRIDGE_KEY", KEY)
    return server


def imported(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module  # where TypedDict looks for names
    spec.loader.exec_module(module)
    return module


def test_reads_the_schemas_of_an_instance(instance: Server) -> None:
    schemas = read_catalog(client(instance))
    assert list(schemas) == ["our-erp", "other"]
    assert schemas["our-erp"]["actions"]["book"]["schema"]["properties"]["account"] == {"title": "Name", "enum": ["a", 2]}
    assert validate_input("our-erp", "book", {"amount": 1, "account": 2}, schemas) == {}
    assert validate_input("our-erp", "book", {"account": "c"}, schemas) == {
        "input.amount": {"message": "is required"},
        "input.account": {"message": "must be one of a, 2"},
    }

    async def read() -> CatalogSchemas:
        async with AsyncDrawbridge(instance.url, KEY) as one:
            return await read_catalog_async(one, ["our-erp"])

    assert asyncio.run(read()) == {"our-erp": schemas["our-erp"]}


def test_refuses_an_integration_that_the_instance_does_not_have(instance: Server) -> None:
    with pytest.raises(ValueError, match="no integration our-crm"):
        read_catalog(client(instance), ["our-erp", "our-crm"])


def test_writes_a_typed_module(instance: Server, tmp_path: Path) -> None:
    file = tmp_path / "written_catalog.py"
    assert main(["generate", "--out", str(file), "--integrations", "our-erp, other"]) == 0
    text = file.read_text("utf-8")
    assert text == write_catalog(read_catalog(client(instance)))
    assert (
        '''
class OurErpPay(t.TypedDict):
    """Books an amount. \\"\\"\\""""

    to: str
    """A \\"name\\"\\\\"""
    urgent: t.NotRequired[bool]
    """Name"""
'''
        in text
    )
    module = imported(file)
    assert module.OurErpBook.__required_keys__ == {"amount"}
    assert module.OurErpBook.__optional_keys__ == {"account", "tags", "due-at", "invoice", "extra", "raw"}
    assert module.OurErpPay.__doc__ == 'Books an amount. """'


def test_runs_actions_with_the_client_of_a_module(instance: Server, tmp_path: Path) -> None:
    assert generate(["--out", str(tmp_path / "ran_catalog.py")]) == 0
    module = imported(tmp_path / "ran_catalog.py")
    instance.replies = [(200, {"success": True, "output": {"n": 1}, "duration": 1}, {})]
    one = client(instance, workspace_id="w")
    typed = module.typed(one)
    assert typed.actions.run("our-erp", "book", {"amount": 1}).output == {"n": 1}
    assert typed.execute_with_approval("our-erp", "book", {"amount": 1}).output == {"n": 1}
    assert instance.requests[-1]["body"]["actionName"] == "book"
    assert repr(typed) == f"TypedDrawbridge(base_url={instance.url!r})" and typed.workspaces is not None

    async def run() -> Any:
        async with module.typed(AsyncDrawbridge(instance.url, KEY, workspace_id="w")) as asynchronous:
            return (await asynchronous.actions.run("our-erp", "book", {"amount": 1})).output

    assert asyncio.run(run()) == {"n": 1}


def test_says_why_no_module_was_written(server: Server, instance: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "catalog.py"
    assert generate(["--out", str(out), "--integrations", "our-crm"]) == 1
    assert generate(["--out", str(tmp_path / "missing" / "catalog.py")]) == 1
    server.replies = [refusal("UNAUTHENTICATED", 401)]
    assert generate(["--out", str(out)]) == 1
    written = capsys.readouterr().err
    assert "no integration our-crm" in written and "No such file" in written and written.endswith("No module was written: No.\n")
    assert KEY not in written and not out.exists()


def test_replaces_only_a_file_that_it_has_generated(instance: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign, own, link = tmp_path / "app.py", tmp_path / "catalog.py", tmp_path / "linked.py"
    foreign.write_bytes(b"\xffprint()\n")
    assert generate(["--out", str(foreign)]) == 1
    assert foreign.read_bytes() == b"\xffprint()\n" and instance.requests == []
    error = f"No module was written: {foreign} exists and was not generated. Pass another --out, or remove it.\n"
    assert capsys.readouterr().err == error
    assert generate(["--out", str(tmp_path)]) == 1
    link.symlink_to(own)
    assert [generate(["--out", str(file), "--integrations", "other"]) for file in (own, link)] == [0, 0]
    assert generate(["--out", str(link)]) == 0
    assert link.is_symlink() and own.read_text("utf-8") == write_catalog(read_catalog(client(instance)))
    assert {one.name for one in tmp_path.iterdir()} == {"app.py", "catalog.py", "linked.py"}


def test_keeps_the_former_module_if_the_new_one_cannot_be_written_whole(instance: Server, tmp_path: Path) -> None:
    out = tmp_path / "catalog.py"
    out.write_text(write_catalog({}), "utf-8")
    program = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
from drawbridge.__main__ import generate
sys.exit(generate(["--out", {str(out)!r}]))"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert (ended.returncode, ended.stderr) == (1, "No module was written: [Errno 27] File too large\n")
    assert out.read_text("utf-8") == write_catalog({}) and [*tmp_path.iterdir()] == [out]


def test_prints_no_control_characters_of_the_server(server: Server, instance: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.replies = [(401, {"error": "\x1b[2J\x9b\u202e\u2028ä\u200d\n", "code": "UNAUTHENTICATED", "details": {}}, {})]
    assert generate(["--out", str(tmp_path / "catalog.py")]) == 1
    assert capsys.readouterr().err == "No module was written: ⟨U+001B⟩[2J⟨U+009B⟩⟨U+202E⟩⟨U+2028⟩ä\u200d\n\n"


def test_sends_the_key_unencrypted_only_to_this_machine(
    instance: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = instance.url.rpartition(":")[2]
    command = ["--out", str(tmp_path / "catalog.py")]

    def status(url: str, *more: str) -> int:
        monkeypatch.setenv("DRAWBRIDGE_URL", url)
        return generate([*command, *more])

    # 0.0.0.0 is not a loopback address, although Linux connects it to this machine, so that the test server would receive a request.
    for url in (f"http://0.0.0.0:{port}", f"http://127.0.0.1.nip.example:{port}", f"http://127.0.0.1:{port}@0.0.0.0:{port}"):
        assert status(url) == 1
    refused = capsys.readouterr().err
    assert refused.count("is not encrypted, and the network could read the API key. Use https, or pass --insecure") == 2
    for url in (f"https://name:secret@127.0.0.1:{port}", f"http://name:secret@127.0.0.1:{port}", "http://127.0.0.1:x"):
        assert status(url, "--insecure") == 1
    refused = capsys.readouterr().err
    assert refused.count("must be an http or https URL without credentials") == 3 and "secret" not in refused
    assert instance.requests == []
    assert [status(f"http://0.0.0.0:{port}", "--insecure"), status(f"http://localhost:{port}"), status(instance.url)] == [0, 0, 0]


USE = """from drawbridge import AsyncDrawbridge, Drawbridge, models
from own import OurErpPay, typed
from typing_extensions import assert_type

def use(plain: Drawbridge) -> None:
    client = typed(plain)
    pay: OurErpPay = {"to": "a", "urgent": True}
    client.actions.run("our-erp", "pay", pay, workspace_id="w", idempotency_key="k")
    done = client.execute_with_approval("our-erp", "book", {"amount": 1, "tags": ["a"], "due-at": "2026-01-01"}, poll_seconds=1)
    assert_type(done, models.ExecutedAction)
    client.actions.run("our-erp", "ping")
    client.actions.run("our-erb", "pay", pay)  # wrong
    client.actions.run("our-erp", "payy", pay)  # wrong
    client.actions.run("our-erp", "pay")  # wrong
    client.actions.run("our-erp", "pay", {"urgent": True})  # wrong
    client.actions.run("our-erp", "pay", {"to": 1})  # wrong
    client.actions.run("our-erp", "pay", {"to": "a", "tow": "b"})  # wrong
    client.actions.run("our-erp", "pay", pay, colour="red")  # wrong
    client.actions.run("our-erp", "pay", pay, poll_seconds=1)  # wrong
    client.actions.run("our-erp", "book", {"amount": 1, "account": "b"})  # wrong
    client.actions.run("our-erp", "book", {"amount": 1, "tags": "a"})  # wrong
    client.actions.run("our-erp", "book", {"amount": 1, "invoice": {"filename": "a"}})  # wrong

async def use_async(plain: AsyncDrawbridge) -> None:
    client = typed(plain)
    assert_type(await client.actions.run("our-erp", "pay", {"to": "a"}), models.ExecutedAction | models.ApprovalRequired)
    assert_type(await client.execute_with_approval("our-erp", "ping"), models.ExecutedAction)
    await client.actions.run("our-erp", "pay", {})  # wrong
""".replace("# wrong", "# type: ignore[call-overload]  # pyright: ignore")

HOSTILE = [
    *("class", "None", "due-at", "a b", "1st", "__private", "t", "str", "list", "match", "straße", 'a"\\', "\ud800", "\n"),
    *("TypedDrawbridge", "Call", "self", "'''", '"""'),
]


def hostile(**more: Any) -> CatalogSchemas:
    actions: Any = {
        f"{name}{index}": {
            "description": f'{name}\n"""\\',
            "schema": {
                "type": "object",
                "properties": {
                    name: {"type": "string", "description": f'{name}\x00\u2028"""\\'},
                    "values": {"enum": [name, 1, True]},
                    "fractions": {"enum": [0.5, "a"]},
                    "nothing": {"enum": []},
                    "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "number"}}]},
                    "inner": {"type": "object", "properties": {name: {"type": "string"}}, "additionalProperties": False},
                    "map": {"type": "object", "additionalProperties": {"type": "string"}},
                    "open": {"type": "object", "properties": {name: {}}},
                },
                "required": [name],
                "additionalProperties": False,
            },
        }
        for index, name in enumerate(HOSTILE)
    }
    return {name: {"displayName": name, "actions": actions} for name in ("a-b", "a_b", "9", "Typed-Drawbridge", '"""')}


def test_writes_a_module_of_names_that_are_no_identifiers(tmp_path: Path) -> None:
    file = tmp_path / "hostile_catalog.py"
    file.write_text(write_catalog(hostile()), "utf-8")
    module = imported(file)
    kinds = [value for value in vars(module).values() if hasattr(value, "__required_keys__")]
    assert {key for kind in kinds for key in kind.__required_keys__} == set(HOSTILE)
    assert callable(module.typed) and module.TypedDrawbridge.__name__ == "TypedDrawbridge"


@pytest.mark.parametrize(("integration", "action"), [("none", "-"), ("**//", "None"), ("false", "")])
def test_writes_a_module_of_names_that_are_keywords_of_python(tmp_path: Path, integration: str, action: str) -> None:
    schema = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
    actions = {action: {"description": "", "schema": schema}}
    file = tmp_path / "keyword_catalog.py"
    file.write_text(write_catalog({integration: {"displayName": "", "actions": actions}}), "utf-8")
    assert callable(imported(file).typed)


def test_passes_the_strict_type_checkers(instance: Server, tmp_path: Path) -> None:
    """A wrong call has a comment that ignores its error. Both type checkers report an ignore comment on a line without an error."""
    own = write_catalog(read_catalog(client(instance)))
    single: CatalogSchemas = {"one": {"displayName": "", "actions": {"a": {"description": "", "schema": {"type": "object"}}}}}
    files = {"none.py": write_catalog({}), "single.py": write_catalog(single), "hostile.py": write_catalog(hostile()), "own.py": own, "use.py": USE}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "pyrightconfig.json").write_text(
        '{"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": true, "enableTypeIgnoreComments": false}'
    )
    folder = Path(sys.executable).parent
    checks = [
        [str(folder / "mypy"), "--strict", "--python-version", "3.10", *files],
        [str(folder / "pyright"), "--pythonpath", sys.executable, *files],
    ]
    paths = {name: str(Path(__file__).parents[1] / "src") for name in ("MYPYPATH", "PYTHONPATH")}
    for command in checks:
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, **paths})
        assert (ended.stdout if ended.returncode else "") == ""


def test_costs_nothing_unless_it_is_imported() -> None:
    program = "import sys, drawbridge; print([name for name in sys.modules if name.startswith('drawbridge.') and 'cat' in name])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
