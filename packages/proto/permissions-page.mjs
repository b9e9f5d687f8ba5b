import { GRANTS } from '@drawbridge/contracts';

const ASKED = { none: 'nothing', any: 'any', 'approvals.decide': '`approvals.decide`' };

const HEAD = `# Who may call what

Written by \`pnpm build\` from the \`access\` options in \`proto/\`; \`packages/rpc\` holds every call to them, in one process as over gRPC.
A public operation is the RPC of its name.

- **Permissions.** A key holds every grant, or those that its \`grants\` name; \`.write\` of an area holds its \`.read\`. Deciding approvals is apart:
  only \`approvals: {decide: true}\` holds it. Of what it holds a key does what the role of its user allows.
- **About.** An organization is always the caller's own; a workspace in brackets may be left out, and then it is the organization. A key of
  single workspaces acts in those alone: of a list it is shown what is in them, another workspace, and what is in one, is 403 SCOPE_DENIED. What
  is the organization's own it reads and never writes, and API keys it does not manage at all.
- **Recorded.** Each such call is in the [audit log](audit-log.md) under that name, and so is whoever was refused any.
- **Refusals**, in this order: 401 UNAUTHENTICATED, 403 FORBIDDEN for the grant, 404 NOT_FOUND for what the organization does not have, 403
  SCOPE_DENIED.

`;

/** docs/permissions.md: what each grant opens, and a table of RPCs for each service. */
export function toPage(access) {
  const names = [...new Set(Object.keys(access).map(serviceOf))].sort();
  const parts = names.map((name) => {
    const own = Object.entries(access).filter(([service]) => serviceOf(service) === name);
    const rows = own.flatMap(([, methods]) => Object.entries(methods).map(toRow));
    return `## ${name}\n\n${toTable([['RPC', 'answers', 'permission', 'about', 'recorded as'], ...rows])}`;
  });
  return [HEAD + toGrants(access), ...parts].join('\n');
}

function serviceOf(service) {
  return service.split('.')[1];
}

/** Grants that no operation needs yet are there for those to come. */
function toGrants(access) {
  const rpcs = Object.values(access).flatMap((methods) => Object.entries(methods));
  const rows = GRANTS.map((grant) => {
    const opened = rpcs.filter(([, one]) => one.grant === grant && one.callers.includes('gateway'));
    return [`\`${grant}\``, opened.map(([method]) => capitalized(method)).join(', ') || 'nothing yet'];
  });
  return `## Grants\n\n${toTable([['grant', 'opens'], ...rows])}`;
}

function toRow([method, { callers, grant, orNamed, withoutOrganization, action, isRecorded, ...place }]) {
  const others = [
    orNamed && ', or a person whom its row names',
    withoutOrganization && ', or a session of no organization',
  ];
  const asked = (ASKED[grant] ?? `\`${grant}\``) + others.filter(Boolean).join('');
  const recorded = isRecorded ? `\`${action}\`` : '–';
  return [capitalized(method), callers.join(', '), asked, aboutOf(place), recorded];
}

function aboutOf({ workspace, row }) {
  if (row) return 'where its rows are';
  const place = workspace && `\`${workspace.path.join('.')}\``;
  return workspace ? `workspace ${workspace.isOptional ? `[${place}]` : place}` : 'organization';
}

function capitalized(name) {
  return name[0].toUpperCase() + name.slice(1);
}

function toTable([head, ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
