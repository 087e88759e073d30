export const OPENAI_PATH = '/v1';
export const AG_UI_PATH = '/ag-ui';
export const AI_SDK_PATH = '/ai-sdk';
export const MCP_PATH = '/mcp';
/** RFC 9728: where clients learn the issuer of tokens. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

const paths = [OPENAI_PATH, AG_UI_PATH, AI_SDK_PATH, MCP_PATH, RESOURCE_METADATA_PATH];

/** Whether `path`, without its query, belongs to a door, open or not. */
export function isDoor(path: string): boolean {
  return paths.some((door) => path === door || path.startsWith(`${door}/`));
}
