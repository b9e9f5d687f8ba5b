const ASKED = { none: 'nothing', org: '`scope: org`', 'approvals.decide': '`scope: org`, `approvals.decide`' };

const HEAD = `# Who may call what

Written by \`pnpm build\` from the \`access\` options in \`proto/\`; \`packages/rpc\` holds every call to them, in one process as over gRPC.
A public operation is the RPC of its name. An organization is always the caller's own; a workspace in brackets may be left out.
`;

/** docs/permissions.md: a table for each service. */
export function toPage(access) {
  const names = Object.keys(access).map((service) => service.split('.')[1]);
  const parts = [...new Set(names)].sort().map((name) => {
    const own = Object.entries(access).filter(([service]) => service.split('.')[1] === name);
    const rows = own.flatMap(([, methods]) => Object.entries(methods).map(toRow));
    return `## ${name}\n\n${toTable([['RPC', 'answers', 'permissions', 'about'], ...rows])}`;
  });
  return [HEAD, ...parts].join('\n');
}

function toRow([method, { callers, grant, workspace }]) {
  const place = workspace && `\`${workspace.path.join('.')}\``;
  const about = workspace ? `workspace ${workspace.isOptional ? `[${place}]` : place}` : 'organization';
  return [method[0].toUpperCase() + method.slice(1), callers.join(', '), ASKED[grant], about];
}

function toTable([head, ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
