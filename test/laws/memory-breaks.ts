import type { LawBreak } from './law-break.js';

const SCHEMA = ['test/contract/schema.e2e-spec.ts'];
const COLLEAGUES = ['test/contract/authorisation.e2e-spec.ts'];
const MEMORIES = ['test/contract/memories.e2e-spec.ts'];
const CONTEXT = ['test/contract/memory-context.e2e-spec.ts'];
const IMPORT = ['test/contract/import-conversation.e2e-spec.ts'];
const SKILLS = ['test/contract/skills.e2e-spec.ts'];
const CONVERSATIONS = ['test/contract/conversations.e2e-spec.ts'];

/** Of memory, of what is brought in, and of the shape of the API. */
export const memoryBreaks: LawBreak[] = [
  // Memory
  {
    name: 'shared memories by members',
    law: 'shared memories are admins’ alone to write',
    file: 'src/memory/memory-writer.service.ts',
    search: "if (ownerId !== null || role !== 'MEMBER') return;",
    replace: "if (ownerId !== null || role !== 'OPERATOR') return;",
    tests: MEMORIES,
  },
  {
    name: 'a colleague’s memory',
    law: 'a member’s memories are seen by nobody else',
    file: 'src/memory/seen-memory.repository.ts',
    search: "'company_id = $1 AND id = ANY ($2) AND (owner_id = $3 OR owner_id IS NULL)'",
    replace: "'company_id = $1 AND id = ANY ($2) AND (owner_id = $3 OR true)'",
    tests: COLLEAGUES,
  },
  {
    name: 'a memory that nothing supersedes',
    law: 'a new memory on a subject supersedes the one there was',
    file: 'src/memory/memory-writer.service.ts',
    search: 'current && saysTheSame(current, { ...said, attributes }))\n      return { memory: current',
    replace: 'current)\n      return { memory: current',
    tests: MEMORIES,
  },
  {
    name: 'superseded memories that are lost',
    law: 'superseding keeps the history',
    file: 'src/memory/memory.repository.ts',
    search: 'memory.lineage_id = version.lineage_id AND memory.id < version.id',
    replace: 'memory.lineage_id = version.id AND memory.id < version.id',
    tests: MEMORIES,
  },
  {
    name: 'a forgotten memory’s earlier versions',
    law: 'forget erases a memory with all that led to it',
    file: 'src/memory/memory.repository.ts',
    search: "'DELETE FROM memory WHERE company_id = $1 AND lineage_id = $2 AND id <= $3'",
    replace: "'DELETE FROM memory WHERE company_id = $1 AND lineage_id = $2 AND id = $3'",
    tests: MEMORIES,
  },
  {
    name: 'a preview that differs from what a turn is told',
    law: 'memoryContext is exactly what a turn would be told',
    file: 'src/memory/context/memory-contexts.service.ts',
    search: 'memberId: viewer.id, message, now',
    replace: 'memberId: viewer.id, message: `${message} `.slice(0, 12), now',
    tests: CONTEXT,
  },
  {
    name: 'a context over its budget',
    law: 'the memory context is within its budget',
    file: 'src/memory/context/memory-context.ts',
    search: 'CONTEXT_BUDGET_TOKENS = 2000',
    replace: 'CONTEXT_BUDGET_TOKENS = 2100',
    tests: ['src/memory/context/compose-context.spec.ts'],
  },
  {
    name: 'half an item in the context',
    law: 'the memory context holds whole items only',
    file: 'src/memory/context/compose-context.ts',
    search: 'const text = memoryLine(memory, this.labels, day);',
    replace: 'const text = memoryLine(memory, this.labels, day).slice(0, 40);',
    tests: ['src/memory/context/compose-context.spec.ts'],
  },
  {
    name: 'preferences that take all of the room',
    law: 'no section of the memory context starves the next',
    file: 'src/memory/context/memory-context.ts',
    search: 'RESERVED_TOKENS = 400',
    replace: 'RESERVED_TOKENS = 400 - 400',
    tests: ['src/memory/context/compose-context.spec.ts'],
  },
  {
    name: 'few memories that are not all told',
    law: 'while little is remembered, all of it is told',
    file: 'src/memory/context/memory-context.ts',
    search: 'FACT_SHARE_TOKENS = 600',
    replace: 'FACT_SHARE_TOKENS = 60',
    tests: ['src/memory/context/compose-context.spec.ts'],
  },
  {
    name: 'a pin on what is no project',
    law: 'pinProject takes a project',
    file: 'src/memory/context/project-pins.service.ts',
    search: "memory.kind !== 'PROJECT'",
    replace: "memory.kind === 'CONTACT' && memory.subject === ''",
    tests: CONTEXT,
  },
  {
    name: 'a pin that nothing comes of',
    law: 'a pinned project is the active one of the conversation’s turns',
    file: 'src/conversations/conversations.service.ts',
    search: 'await this.conversations.update(tx, { id: conversation.id }, { activeProjectId });',
    replace: '',
    tests: CONTEXT,
  },

  // What is brought in
  {
    name: 'an import without a limit',
    law: 'importConversation takes up to 5,000 messages',
    file: 'src/conversations/imported-conversation.ts',
    search: '      MAX_IMPORTED_MESSAGES,\n',
    replace: '      2 * MAX_IMPORTED_MESSAGES,\n',
    tests: IMPORT,
  },
  {
    name: 'an import out of order',
    law: 'importConversation takes messages oldest first',
    file: 'src/conversations/imported-conversation.ts',
    search: 'createdAt < earlier ||',
    replace: 'createdAt < FIRST_DAY ||',
    tests: IMPORT,
  },
  {
    name: 'markers of sources that there are not',
    law: 'the [n] of an answer are checked against its sources',
    file: 'src/agent/loop/sources/marker-filter.ts',
    search: 'const known = numbers.filter((each) => this.isKnown(each));',
    replace: 'const known = numbers;',
    tests: ['test/contract/grounded.e2e-spec.ts'],
  },
  {
    name: 'citations of what is not cited',
    law: 'an answer’s citations are the sources that it cites',
    file: 'src/agent/loop/sources/cited-answer.ts',
    search: 'citations: sources.citedIn(cited.citing)',
    replace: "citations: sources.citedIn('[1] [2] [3]')",
    tests: ['test/contract/grounded.e2e-spec.ts'],
  },

  // The shape of the API
  {
    name: 'pages of any length',
    law: 'first is at most 100',
    file: 'src/common/schema/page.ts',
    search: 'limit < 0 || limit > MAX_PAGE',
    replace: 'limit < 0',
    tests: CONVERSATIONS,
  },
  {
    name: 'a field that may be null',
    law: 'nullability is as the contract has it',
    file: 'src/conversations/turns/turn-event.model.ts',
    search: "@Field(() => TextResetReason, { description: 'Why the text is discarded.' })",
    replace: "@Field(() => TextResetReason, { nullable: true, description: 'Why the text is discarded.' })",
    tests: SCHEMA,
  },
  {
    name: 'a field without a description',
    law: 'everything in the schema has a description',
    file: 'src/conversations/turns/turn-event.model.ts',
    search: "@Field(() => TextResetReason, { description: 'Why the text is discarded.' })",
    replace: '@Field(() => TextResetReason)',
    tests: SCHEMA,
  },
  {
    name: 'a skill that is off and called all the same',
    law: 'a call to a skill that is switched off is refused',
    file: 'src/skills/skills-in-use.service.ts',
    search: 'if (!row.active) off.push',
    replace: 'if (off.length > 999) off.push',
    tests: SKILLS,
  },
  {
    name: 'a deleted conversation that stays',
    law: 'deleteConversation leaves nothing',
    file: 'src/conversations/turns/turns.service.ts',
    search: 'await this.conversations.delete(tx, viewer, id);',
    replace: '',
    tests: CONVERSATIONS,
  },
];
