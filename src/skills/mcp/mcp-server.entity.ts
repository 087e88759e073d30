import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.entity.js';

/** A Model Context Protocol server that a company has connected. */
@Entity()
@Index('mcp_server_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class McpServer extends CreatedRow {
  /** What its tools' keys begin with. */
  @Column('text')
  key!: string;

  /** Its Streamable HTTP endpoint. */
  @Column('text')
  url!: string;

  /** The names of the headers it is sent, whose values are among the secrets. */
  @Column('text', { array: true })
  headerNames!: string[];

  /** A JSON object of header names and values, encrypted; null: none. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  @Column('integer')
  timeoutMs!: number;

  /** Whether what it says of a tool is believed: that carrying it out again does no harm. */
  @Column('boolean', { default: false })
  trustAnnotations!: boolean;

  /** When its tools were last asked for; null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkedAt!: Date | null;

  /** Why that failed, in words for people; null: it did not. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** What of its tools is not used, and why, in words for people. */
  @Column('text', { array: true, default: '{}' })
  notes!: string[];
}
