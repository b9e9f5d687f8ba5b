import { type JsonSchema } from '@drawbridge/piece-kit';

/** A tool of a server as a function of its code API, `svc.<alias>.<actionName>`. */
export interface ApiTool {
  alias: string;
  actionName: string;
  integrationName: string;
  integrationDisplayName: string;
  displayName: string;
  description: string;
  /** read, write, delete, send, payment, admin or code. */
  category: string;
  /** read, write or destructive. */
  effect: string;
  /** The input that is left for a call. */
  inputSchema: JsonSchema;
  /** Keys of the input schema that have a default value. */
  defaultedKeys: readonly string[];
}

/** Returns the path of a tool, which names it in approvals and errors. */
export function pathOf({ alias, actionName }: Pick<ApiTool, 'alias' | 'actionName'>): string {
  return `${alias}.${actionName}`;
}
