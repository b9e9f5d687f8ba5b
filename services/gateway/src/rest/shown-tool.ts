import { type McpTool as StoredTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';

export interface McpTool extends Omit<StoredTool, 'inputDefaultsJson'> {
  /** Beneath the input of whoever calls it. */
  inputDefaults: { [key: string]: unknown } | null;
}

export function shownTool({ inputDefaultsJson, ...tool }: StoredTool): McpTool {
  return { ...tool, inputDefaults: inputDefaultsJson === undefined ? null : JSON.parse(inputDefaultsJson) };
}
