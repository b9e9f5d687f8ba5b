import { type CodeApproval, type CodeResult, type ExecuteMcpCodeBody } from './gen/models.js';
import { type Resources } from './gen/resources.js';
import { type RequestOptions } from './request.js';

/** A program failed, or its run cannot continue. `code` is an error code of Code Mode, such as `RUNTIME_ERROR`: see docs/code-mode.md. */
export class CodeRunError extends Error {
  override readonly name = 'CodeRunError';

  constructor(
    message: string,
    readonly code: string,
    /** The `line` and `column` of the error, and the `calls` of actions that already ran: do not run these again. */
    readonly details: Record<string, unknown>,
  ) {
    super(message);
  }
}

export interface CodeOptions extends RequestOptions {
  /** Receives each approval that the run needs, for example to show its `hostedApprovalUrl` to a person. */
  onApprovalRequired?(approval: CodeApproval): void | Promise<void>;
}

/** The result of a program. */
export interface CodeValue {
  /** The returned value. Undefined if the program returned none. */
  value: unknown;
  /** The console output of the program, and a note if the value was truncated. */
  notes: string[];
}

/** The content that the server sends for a program without a value. It is unambiguous, because a returned string is JSON and has quotes. */
const NOTHING = 'The program returned nothing.';

/** How long one request waits for the approval of a run, before the next request continues the wait. The API accepts at most 60 seconds. */
const WAIT_SECONDS = 55;

/**
 * Runs a program on an MCP server of mode CODE, waits for the approvals that it needs, and returns its value. Throws CodeRunError if the program
 * fails or an approval is declined.
 */
export async function runCode(
  servers: Pick<Resources['mcpServers'], 'executeCode'>,
  serverId: string,
  code: string,
  { onApprovalRequired, ...options }: CodeOptions = {},
): Promise<CodeValue> {
  let shown: string | undefined;
  for (let body: ExecuteMcpCodeBody = { code }; ;) {
    const result = await servers.executeCode(serverId, body, options);
    const { approval, continuation } = result.structuredContent ?? {};
    if (!continuation) return toValue(result);
    if (approval && approval.id !== shown) await onApprovalRequired?.(approval);
    shown = approval?.id;
    body = { ...continuation.arguments, waitForApprovalSeconds: WAIT_SECONDS };
  }
}

function toValue({ content, isError, structuredContent }: CodeResult): CodeValue {
  const [first = '', ...notes] = content.map(({ text }) => text);
  if (!isError) return { value: parsed(first), notes };
  throw new CodeRunError(first, structuredContent?.code ?? 'RUNTIME_ERROR', structuredContent?.details ?? {});
}

/** A truncated value is text, not JSON. */
function parsed(text: string): unknown {
  if (text === NOTHING) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
