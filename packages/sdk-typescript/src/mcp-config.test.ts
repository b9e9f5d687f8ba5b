import { mcpConfig } from './mcp-config.js';

const SERVER = { name: 'acme', endpoint: 'https://drawbridge.example/mcp/srv_1', token: 'mcp_1' };

describe('mcpConfig', () => {
  it('is a command for Claude Code', () => {
    expect(mcpConfig('claude-code', SERVER)).toEqual({
      target: 'shell',
      text: "claude mcp add --transport http acme https://drawbridge.example/mcp/srv_1 --header 'Authorization: Bearer mcp_1'",
    });
  });

  it('quotes a name that would be another command', () => {
    const { text } = mcpConfig('claude-code', { ...SERVER, name: "a'; rm -rf $HOME #" });
    expect(text).toContain(`http 'a'\\''; rm -rf $HOME #' https`);
  });

  it.each(['cursor', 'vscode', 'json'] as const)('is JSON for %s, with the token only if there is one', (program) => {
    const { text } = mcpConfig(program, SERVER);
    expect(JSON.stringify(JSON.parse(text))).toContain('"headers":{"Authorization":"Bearer mcp_1"}');
    expect(mcpConfig(program, { ...SERVER, token: undefined }).text).not.toContain('headers');
  });
});
