/** Where the doors are. */
export const OPENAI_PATH = '/v1';
export const AG_UI_PATH = '/ag-ui';
export const AI_SDK_PATH = '/ai-sdk';
export const MCP_PATH = '/mcp';

const paths = [OPENAI_PATH, AG_UI_PATH, AI_SDK_PATH, MCP_PATH];

/** Whether `path`, without its query, belongs to a door, open or not. */
export function isDoor(path: string): boolean {
  return paths.some((door) => path === door || path.startsWith(`${door}/`));
}
