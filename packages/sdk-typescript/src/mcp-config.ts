/** An MCP server, and the credential for it. */
export interface McpTarget {
  /** The name under which the client lists the server. */
  name: string;
  /** The `mcpEndpoint` of the server. */
  endpoint: string;
  /** A bearer token. Without one the client lets the person authorize it by OAuth. */
  token?: string;
}

/** Programs with a known configuration. */
export type McpProgram = 'claude-code' | 'cursor' | 'vscode' | 'json';

/** A piece of configuration, and where it belongs. */
export interface McpSnippet {
  /** The path of the file in the folder of the project, or `shell` if the text is a command. */
  target: string;
  text: string;
}

/** Returns the command or the configuration that connects a client to an MCP server. */
export function mcpConfig(program: McpProgram, { name, endpoint, token }: McpTarget): McpSnippet {
  const server = { url: endpoint, ...(token && { headers: { Authorization: `Bearer ${token}` } }) };
  switch (program) {
    case 'claude-code':
      return { target: 'shell', text: ['claude', ...claudeArguments({ name, endpoint, token }).map(quoted)].join(' ') };
    case 'cursor':
      return { target: '.cursor/mcp.json', text: toText({ mcpServers: { [name]: server } }) };
    case 'vscode':
      return { target: '.vscode/mcp.json', text: toText({ servers: { [name]: { type: 'http', ...server } } }) };
    case 'json':
      return { target: 'mcp.json', text: toText({ mcpServers: { [name]: { type: 'http', ...server } } }) };
  }
}

/** Returns the arguments of the program `claude`. */
export function claudeArguments({ name, endpoint, token }: McpTarget): string[] {
  const header = token ? ['--header', `Authorization: Bearer ${token}`] : [];
  return ['mcp', 'add', '--transport', 'http', name, endpoint, ...header];
}

const toText = (value: object): string => JSON.stringify(value, null, 2);

/** Quotes for a POSIX shell, in which a name may otherwise begin another command. */
const quoted = (text: string): string => (/^[\w@:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
