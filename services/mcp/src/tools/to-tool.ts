import { toWire } from '@drawbridge/database';
import { type McpTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { type Tool } from '../gen/prisma/client.js';

export function toMcpTool({ serverId: mcpServerId, inputDefaults, ...row }: Tool): McpTool {
  const inputDefaultsJson = inputDefaults === null ? undefined : JSON.stringify(inputDefaults);
  return { ...toWire(row), mcpServerId, toolType: 'ACTION', inputDefaultsJson };
}
