import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../docs/architecture.md');
const BEGIN = '<!-- The table of files: WRITE_FILES=1 npm test -- files-per-request writes it. -->\n\n';
const END = '\n\n<!-- The end of the table of files. -->';

/** The step of a call that each folder implements, in the order of the steps. */
const STEPS: [string, string][] = [
  ['services/gateway/src', 'accept, authenticate, admit, route, answer'],
  ['packages/rpc/src', 'call a service: context, permissions, deadline'],
  ['services/members/src', 'list the workspaces'],
  ['services/mcp/src', 'find the server and the token of an agent'],
  ['services/catalog/src', 'list tools; _resolve_'],
  ['services/execution/src', 'the pipeline: _replay_ to _record_'],
  ['services/approvals/src', '_gate_'],
  ['services/connections/src', '_select_, _open_'],
  ['packages/pieces/src', 'find the integration'],
  ['packages/piece-kit/src', '_run_: build the request, read the response'],
  ['packages/egress/src', '_run_: send the request'],
  ['packages/events/src', '_record_: write the event'],
  ['packages/database/src', 'read rows of one organization'],
  ['packages/turns/src', 'wait for a slot'],
  ['packages/contracts/src', 'ids, tokens, host names'],
];

export type Files = Record<string, string[]>;

/** Returns the files that docs/architecture.md lists for each call. */
export function documentedFiles(calls: readonly string[]): Files {
  const rows = tableOf(readFileSync(PAGE, 'utf8'))
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const filesIn = (column: number): string[] =>
    rows.flatMap(([step = '', ...cells]) => {
      const [, folder = ''] = /`(.+)`/.exec(step) ?? [];
      return cells[column] ? cells[column].split(', ').map((name) => `${folder}/${name}`) : [];
    });
  return Object.fromEntries(calls.map((call, column) => [call, filesIn(column).sort()]));
}

/** Writes the table. Throws if a file is in a folder that STEPS does not contain. */
export function writeFiles(files: Files): void {
  const columns = Object.values(files);
  const folderOf = (file: string): string | undefined => STEPS.find(([folder]) => file.startsWith(`${folder}/`))?.[0];
  const unknown = columns.flat().find((file) => folderOf(file) === undefined);
  if (unknown) throw new Error(`Describe the folder of ${unknown} in STEPS of e2e/support/files-of-requests.ts`);
  const rows = STEPS.map(([folder, step]) => {
    const cells = columns.map((all) => all.filter((file) => folderOf(file) === folder));
    return [
      `${step}: \`${folder}\``,
      ...cells.map((its) => its.map((file) => file.slice(folder.length + 1)).join(', ')),
    ];
  });
  const head = ['step', ...Object.keys(files)];
  const lines = [head, head.map(() => '---'), ...rows.filter(([, ...cells]) => cells.some(Boolean))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(tableOf(page), () => table),
  );
}

function tableOf(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/architecture.md has no table of files between ${BEGIN} and ${END}`);
  return page.slice(from + BEGIN.length, to);
}
