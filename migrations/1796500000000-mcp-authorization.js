/** Admins sign in at MCP servers by OAuth. Servers of before have headers, or need nothing. */
export class McpAuthorization1796500000000 {
  name = 'McpAuthorization1796500000000';

  async up(runner) {
    await runner.query(
      `ALTER TABLE mcp_server
         ADD COLUMN "authorization" text NOT NULL DEFAULT 'NONE',
         ADD COLUMN granted_at timestamptz(3),
         ADD COLUMN grant_secrets text`,
    );
  }

  async down(runner) {
    await runner.query(
      'ALTER TABLE mcp_server DROP COLUMN "authorization", DROP COLUMN granted_at, DROP COLUMN grant_secrets',
    );
  }
}
