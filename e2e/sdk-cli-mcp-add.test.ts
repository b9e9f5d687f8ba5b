// Shapes: none; in full: local
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, json, own, product, program, useGithubCli } from './support/github-cli.js';
import { newServer } from './support/mcp-servers.js';

useGithubCli();

describe('drawbridge mcp add', () => {
  let serverId: string;
  let endpoint: string;
  const endUserId = `agent-${process.pid}`;
  beforeAll(async () => {
    const { workspaceId } = own;
    await product.api.post('/api/v1/end-users', { workspaceId, externalId: endUserId });
    const { server } = await newServer(product.api, workspaceId, {
      name: 'Acme: tools!',
      authMode: 'oauth_and_bearer',
    });
    [serverId, endpoint] = [server.id, server.mcpEndpoint];
  });
  const add = (of: string, ...more: string[]): string[] => ['mcp', 'add', of, '--server', serverId, ...more];
  const read = (path: string): any => JSON.parse(readFileSync(join(program.folder, path), 'utf8'));
  const modeOf = (path: string): number => statSync(join(program.folder, path)).mode & 0o777;
  const tokensOf = async (id: string): Promise<number> =>
    (await product.api.get(`/api/v1/mcp/servers/${id}/tokens`)).body.total;

  it('writes a new file for this user alone, with a token that works and is not printed', async () => {
    const { code, stdout, stderr } = await cli(add('cursor', '--end-user', endUserId, '--json'));
    expect({ code, printed: JSON.parse(stdout) }).toEqual({
      code: 0,
      printed: { program: 'cursor', name: 'acme-tools', file: '.cursor/mcp.json' },
    });
    const { url, headers } = read('.cursor/mcp.json').mcpServers['acme-tools'];
    expect(url).toBe(endpoint);
    expect(stdout + stderr).not.toContain(headers.Authorization.slice('Bearer '.length));
    expect(modeOf('.cursor/mcp.json')).toBe(0o600);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
  });

  it('merges into a file, without a token for a server with OAuth, and replaces only its own entry', async () => {
    const before = { inputs: [{ id: 'a' }], servers: { other: { type: 'stdio', command: 'x' } } };
    mkdirSync(join(program.folder, '.vscode'), { recursive: true });
    writeFileSync(join(program.folder, '.vscode/mcp.json'), JSON.stringify(before, null, '\t'), { mode: 0o644 });
    for (let time = 0; time < 2; time++) expect((await cli(add('vscode', '--name', 'acme'))).code).toBe(0);
    const acme = { type: 'http', url: endpoint };
    expect(read('.vscode/mcp.json')).toEqual({ ...before, servers: { ...before.servers, acme } });
    expect(readFileSync(join(program.folder, '.vscode/mcp.json'), 'utf8')).toContain('\n\t"servers"');
    expect(modeOf('.vscode/mcp.json')).toBe(0o644);
    const refused = await cli(add('vscode', '--name', 'other'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another server with the name other') });
  });

  it('makes a file readable by this user alone before it writes a token', async () => {
    writeFileSync(join(program.folder, '.vscode/mcp.json'), '{}');
    chmodSync(join(program.folder, '.vscode/mcp.json'), 0o644);
    expect((await cli(add('vscode', '--end-user', endUserId))).code).toBe(0);
    expect(read('.vscode/mcp.json').servers['acme-tools'].headers.Authorization).toMatch(/^Bearer mcp_/);
    expect(modeOf('.vscode/mcp.json')).toBe(0o600);
  });

  it('revokes the token if the file cannot be written', async () => {
    const cwd = join(program.folder, 'unwritable');
    mkdirSync(cwd);
    symlinkSync('missing/folder', join(cwd, '.cursor'));
    const before = await tokensOf(serverId);
    const refused = await cli(add('cursor', '--end-user', endUserId), { cwd });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') });
    expect(await tokensOf(serverId)).toBe(before);
  });

  it.each(['// comment\n{}', '[]', '{"servers": []}', ''])('refuses the file %j and issues no token', async (text) => {
    writeFileSync(join(program.folder, '.vscode/mcp.json'), text);
    const before = await tokensOf(serverId);
    const { code, stderr } = await cli(add('vscode', '--end-user', endUserId));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/is not JSON|must be a JSON object/) });
    expect(readFileSync(join(program.folder, '.vscode/mcp.json'), 'utf8')).toBe(text);
    expect(await tokensOf(serverId)).toBe(before);
  });

  it('runs claude if it is installed, prints the command otherwise, and gives a token in a file only', async () => {
    const bin = join(program.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const env = { PATH: `${program.bin}:${bin}` };
    const printed = await cli(add('claude'), { env });
    expect(printed).toMatchObject({ code: 0, stdout: `claude mcp add --transport http acme-tools ${endpoint}\n` });
    const claude = (code: number) =>
      writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$*" > ${bin}/given\necho said\nexit ${code}\n`, {
        mode: 0o755,
      });
    claude(0);
    const added = await cli(add('claude', '--json'), { env });
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('said') });
    expect(JSON.parse(added.stdout)).toEqual({ program: 'claude', name: 'acme-tools' });
    expect(readFileSync(join(bin, 'given'), 'utf8')).toBe(`mcp add --transport http acme-tools ${endpoint}\n`);
    claude(3);
    expect(await cli(add('claude'), { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exit code 3'),
    });
    rmSync(join(bin, 'given'));
    expect(await json(add('claude', '--end-user', endUserId), { env })).toEqual({
      program: 'claude',
      name: 'acme-tools',
      file: '.mcp.json',
    });
    const { headers, ...server } = read('.mcp.json').mcpServers['acme-tools'];
    expect([server, headers.Authorization]).toEqual([
      { type: 'http', url: endpoint },
      expect.stringMatching(/^Bearer mcp_\S+$/),
    ]);
    expect([modeOf('.mcp.json'), existsSync(join(bin, 'given'))]).toEqual([0o600, false]);
  });

  it('asks for an end user only if the server needs a token', async () => {
    const { workspaceId } = own;
    const { server: bearer } = await newServer(product.api, workspaceId, { authMode: 'bearer' });
    const { server: oauth } = await newServer(product.api, workspaceId, { authMode: 'oauth' });
    const refusals = [
      await cli(['mcp', 'add', 'cursor', '--server', bearer.id]),
      await cli(['mcp', 'add', 'cursor', '--server', oauth.id, '--end-user', endUserId]),
      await cli(['mcp', 'add', 'cursor', '--server', oauth.id, '--name', '../x']),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(refusals.map(({ stderr }) => /--end-user is missing|accepts no tokens|--name must be/.test(stderr))).toEqual(
      [true, true, true],
    );
  });
});
