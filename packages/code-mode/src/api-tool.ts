import { type JsonSchema } from '@drawbridge/piece-kit';

/** A tool of a server in the form of a function of its code API, `svc.<alias>.<actionName>`. */
export interface ApiTool {
  alias: string;
  actionName: string;
  integrationName: string;
  integrationDisplayName: string;
  displayName: string;
  description: string;
  /** One of read, write, delete, send, payment, admin and code. */
  category: string;
  /** One of read, write and destructive. */
  effect: string;
  /** The schema of the input that a call may contain. */
  inputSchema: JsonSchema;
  /** Keys of the input schema that have a default value. */
  defaultedKeys: readonly string[];
}

/** Returns the path of a tool, which identifies it in approvals and errors. */
export function pathOf({ alias, actionName }: Pick<ApiTool, 'alias' | 'actionName'>): string {
  return `${alias}.${actionName}`;
}
