import type { LawBreak } from './law-break.js';

const STREAM = ['test/contract/turn.e2e-spec.ts'];
const PARTS = ['test/contract/message-parts.e2e-spec.ts'];
const CONTROL = ['test/contract/turn-control.e2e-spec.ts'];
const SCHEMA = ['test/contract/schema.e2e-spec.ts'];
const LAWS = ['test/contract/turn-laws.e2e-spec.ts'];
const TENANCY = ['test/contract/tenancy-api.e2e-spec.ts'];
const COLLEAGUES = ['test/contract/authorisation.e2e-spec.ts'];
const PROMPTS = ['test/contract/prompts.e2e-spec.ts'];
const SKILLS = ['test/contract/skills.e2e-spec.ts'];
const APPROVALS = ['test/contract/approvals.e2e-spec.ts'];
const INPUTS = ['test/contract/pending-inputs.e2e-spec.ts'];
const PROVIDERS = ['test/contract/providers.e2e-spec.ts'];

/** Of what a turn streams, of asking, and of who may see and do what. */
export const turnBreaks: LawBreak[] = [
  // What a turn streams
  {
    name: 'a gap in the sequence',
    law: 'sequence runs 1, 2, 3 … without a gap',
    file: 'src/conversations/turns/log/turn-feed.ts',
    search: 'sequence: before + index + 1, at',
    replace: 'sequence: before + index + (index > 0 ? 2 : 1), at',
    tests: LAWS,
  },
  {
    name: 'an event twice',
    law: 'a subscriber gets each event once',
    file: 'src/conversations/turns/log/turn-events.ts',
    search: '      this.page = events;\n      return this;',
    replace: '      this.page = [...events.slice(0, 1), ...events];\n      return this;',
    tests: STREAM,
  },
  {
    name: 'events out of order',
    law: 'a subscriber gets the events in order',
    file: 'src/conversations/turns/log/turn-events.ts',
    search: 'this.page.shift()',
    replace: 'this.page.pop()',
    tests: STREAM,
  },
  {
    name: 'after: n repeats n',
    law: 'after: n replays everything later than n',
    file: 'src/conversations/turns/log/turn-event.repository.ts',
    search: 'AND turn_id = $2 AND sequence > $3',
    replace: 'AND turn_id = $2 AND sequence >= $3',
    tests: STREAM,
  },
  {
    name: 'after: n leaves n + 1 out',
    law: 'after: n replays everything later than n, also when the turn has long ended',
    file: 'src/conversations/turns/log/turn-event.repository.ts',
    search: 'AND turn_id = $2 AND sequence > $3',
    replace: 'AND turn_id = $2 AND sequence > $3 + sign($3)::int',
    tests: STREAM,
  },
  {
    name: 'no replay once the turn has ended',
    law: 'after: n replays everything later than n, also when the turn has long ended',
    file: 'src/conversations/turns/log/turn-events.ts',
    search: '      this.page = events;\n      return this;',
    replace: "      if (state === 'ended') this.close();\n      this.page = events;\n      return this;",
    tests: STREAM,
  },
  {
    name: 'the replay is not followed live',
    law: 'after: n replays everything later than n, then follows live',
    file: 'src/conversations/turns/log/turn-events.ts',
    search: "if (type === 'turn-done') this.close();",
    replace: "if (type === 'turn-done' || sequence > 2) this.close();",
    tests: STREAM,
  },
  {
    name: 'two TurnDone',
    law: 'exactly one TurnDone',
    file: 'src/conversations/turns/claims/turn-ends.service.ts',
    search: "[...rest, { type: 'turn-done', ...end, messageId }]",
    replace: "[...rest, { type: 'turn-done', ...end, messageId }, { type: 'turn-done', ...end, messageId }]",
    tests: STREAM,
  },
  {
    name: 'TurnDone before the last text',
    law: 'TurnDone is always last',
    file: 'src/conversations/turns/claims/turn-ends.service.ts',
    search: "[...rest, { type: 'turn-done', ...end, messageId }]",
    replace: "[{ type: 'turn-done', ...end, messageId }, ...rest]",
    tests: STREAM,
  },
  {
    name: 'the subscription stays open',
    law: 'after TurnDone the subscription completes',
    file: 'src/conversations/turns/log/turn-events.ts',
    search: "    if (type === 'turn-done') this.close();",
    replace: "    if (type === 'turn-done') this.feed.invalidate(this.turn.turnId);",
    tests: ['src/conversations/turns/log/turn-events.spec.ts'],
  },
  {
    name: 'withdrawn text in the answer',
    law: 'the TextDelta texts after the last TextReset, joined, equal the stored answer',
    file: 'src/conversations/turns/log/turn-writer.ts',
    search: "if (entry.type === 'text-reset') this.said = nothingSaid();",
    replace: "if (entry.type === 'text-reset') this.said['text-delta'].half = '';",
    tests: STREAM,
  },
  {
    name: 'an answer without its last character',
    law: 'the TextDelta texts after the last TextReset, joined, equal the stored answer',
    file: 'src/conversations/turns/claims/turn-ends.service.ts',
    search: '      text,\n      parts,\n      citations,',
    replace: '      text: text.slice(0, -1),\n      parts,\n      citations,',
    tests: STREAM,
  },
  {
    name: 'reasoning of a step that asked for skills in the answer',
    law: 'the ReasoningDelta texts after the last TextReset, joined, are the answer’s reasoning',
    file: 'src/agent/loop/reactive.ts',
    search: "if (said.text !== '' || said.reasoning !== '') yield",
    replace: "if (said.text !== '') yield",
    tests: PARTS,
  },
  {
    name: 'a structured answer that does not fit',
    law: 'an answer fits the answerSchema of its turn, or the turn has failed',
    file: 'src/agent/runs/running-turn.ts',
    search: 'ending: isInvalid ? invalid(ending) : ending',
    replace: 'ending: isInvalid && text === schema.title ? invalid(ending) : ending',
    tests: ['test/contract/structured-answers.e2e-spec.ts'],
  },
  {
    name: 'reasoning that nobody asked to be shown',
    law: 'reasoning is shown only where Assistant.showsReasoning says so',
    file: 'src/agent/loop/shown-parts.ts',
    search: "part.type === 'reasoning' && showsReasoning",
    replace: "part.type === 'reasoning' && (showsReasoning || shown.text === '')",
    tests: PARTS,
  },
  {
    name: 'text that is shown before it is stored',
    law: 'a client never sees what a resume could not replay',
    file: 'src/conversations/turns/log/turn-log.service.ts',
    search: `    tx.afterCommit(() => {
      for (const part of parts) {
        if (stored.has(part.claim.turnId))
          this.feed.stored(part.claim.turnId, eventsOf(part.claim.turnId, part, at));
      }
    });`,
    replace: `    for (const part of parts) {
      if (stored.has(part.claim.turnId))
        this.feed.stored(part.claim.turnId, eventsOf(part.claim.turnId, part, at));
    }`,
    tests: ['src/conversations/turns/log/turn-log.service.spec.ts'],
  },
  {
    name: 'TurnDone ahead of what it tells',
    law: 'what TurnDone tells can be queried the moment it arrives',
    file: 'src/conversations/turns/log/turn-log.service.ts',
    search: 'tx.afterCommit(() => this.feed.stored(claim.turnId, eventsOf(claim.turnId, part, at)));',
    replace: 'this.feed.stored(claim.turnId, eventsOf(claim.turnId, part, at));',
    tests: ['src/conversations/turns/log/turn-log.service.spec.ts'],
  },
  {
    name: 'a usage that is not stored',
    law: 'what TurnDone tells can be queried the moment it arrives',
    file: 'src/conversations/turns/claims/turn-claim.repository.ts',
    search: 'cached_input_tokens = $10, model_calls = $11, skill_calls = $12,\n         cost_usd = $13',
    replace: 'cached_input_tokens = $10, model_calls = $11 * 0, skill_calls = $12,\n         cost_usd = $13',
    tests: STREAM,
  },
  {
    name: 'one field name, two types',
    law: 'no two event types give one field name different types',
    file: 'src/conversations/turns/turn-event.model.ts',
    search: 'callStatus!: SkillCallStatus;',
    replace: 'status!: SkillCallStatus;',
    tests: SCHEMA,
  },
  {
    name: 'a member’s turn followed by a colleague',
    law: 'to everybody but its asker a turn does not exist',
    file: 'src/conversations/turns/log/turn-event.repository.ts',
    search: 'AND ($5::uuid IS NULL OR turn.member_id = $5)',
    replace: 'AND ($5::uuid IS NULL OR $5 IS NOT NULL)',
    tests: COLLEAGUES,
  },

  // Asking
  {
    name: 'an idempotency key that starts a second turn',
    law: 'same idempotency key, same payload: the same turn',
    file: 'src/conversations/turns/start/turn-creation.service.ts',
    search: '    idempotencyKey,\n    payloadHash',
    replace: '    idempotencyKey: idempotencyKey && `${idempotencyKey} ${id}`,\n    payloadHash',
    tests: CONTROL,
  },
  {
    name: 'an idempotency key for any payload',
    law: 'same idempotency key, other payload: IdempotencyConflict',
    file: 'src/conversations/turns/start/turn-starts.service.ts',
    search: 'turn.payloadHash !== payloadHash(request)',
    replace: 'turn.payloadHash === null',
    tests: CONTROL,
  },
  {
    name: 'an idempotency key of the whole company',
    law: 'an idempotency key is its member’s own',
    file: 'src/conversations/turns/start/turn-starts.service.ts',
    search: '{ memberId: viewer.id, idempotencyKey: request.idempotencyKey }',
    replace: '{ idempotencyKey: request.idempotencyKey }',
    tests: CONTROL,
  },
  {
    name: 'two active turns in a conversation',
    law: 'one active turn a conversation',
    file: 'src/conversations/turns/turn.repository.ts',
    search: '`${turn}.status NOT IN (${TERMINAL_STATUSES}) AND ${turn}.background_at IS NULL`',
    replace: "`${turn}.status NOT IN (${TERMINAL_STATUSES}, 'RUNNING') AND ${turn}.background_at IS NULL`",
    tests: CONTROL,
  },
  {
    name: 'REJECT that does not',
    law: 'whenBusy: REJECT answers TurnInProgress, and stores nothing',
    file: 'src/conversations/turns/start/turn-starts.service.ts',
    search: "request.whenBusy === 'REJECT'",
    replace: "request.whenBusy === 'INTERRUPT' && busy.length > 99",
    tests: CONTROL,
  },
  {
    name: 'INTERRUPT that does not',
    law: 'whenBusy: INTERRUPT ends the turns under way as SUPERSEDED',
    file: 'src/conversations/turns/claims/turn-ends.service.ts',
    search: "this.stopAll(tx, turns, 'SUPERSEDED')",
    replace: "this.stopAll(tx, turns, 'CANCELLED')",
    tests: CONTROL,
  },
  {
    name: 'a cancelled turn that goes on',
    law: 'cancelTurn ends the turn',
    file: 'src/agent/runs/turn-runner.service.ts',
    search: '    held.running?.stop(held.stopped);',
    replace: '',
    tests: CONTROL,
  },
  {
    name: 'a quota that nobody minds',
    law: 'a used-up quota refuses the question: QuotaExceeded',
    file: 'src/conversations/turns/start/turn-limits.service.ts',
    search: 'if (spent) throw new QuotaSpent(',
    replace: 'if (full.member && spent) throw new QuotaSpent(',
    tests: ['test/contract/quotas.e2e-spec.ts'],
  },

  // Who may see and do what
  {
    name: 'a colleague’s conversation by its id',
    law: 'thing(id) answers null for absent and foreign alike',
    file: 'src/conversations/conversations.service.ts',
    search: 'this.conversations.list(tx, { memberId: viewer.id, id: valid })',
    replace: 'this.conversations.list(tx, { id: valid })',
    tests: COLLEAGUES,
  },
  {
    name: 'a colleague’s conversation in the list',
    law: 'a member’s conversations are seen by nobody else',
    file: 'src/conversations/conversation-list.repository.ts',
    search: '.where({ ...columns, companyId: tx.companyId, memberId });',
    replace: '.where({ ...columns, companyId: tx.companyId });',
    tests: TENANCY,
  },
  {
    name: 'a colleague’s turn by its id',
    law: 'thing(id) answers null for absent and foreign alike',
    file: 'src/conversations/turns/turns.service.ts',
    search: 'this.turns.list(tx, { memberId: viewer.id, id: valid })',
    replace: 'this.turns.list(tx, { id: valid })',
    tests: COLLEAGUES,
  },
  {
    name: 'a colleague’s message by its id',
    law: 'node(id) answers null for absent and foreign alike',
    file: 'src/conversations/conversations.service.ts',
    search: 'return own ? message : null;',
    replace: 'return own ? message : (message ?? null);',
    tests: COLLEAGUES,
  },
  {
    name: 'a colleague’s notification by its id',
    law: 'node(id) answers null for absent and foreign alike',
    file: 'src/companies/notifications/notifications.service.ts',
    search: 'this.notifications.find(tx, { memberId: viewer.id, id })',
    replace: 'this.notifications.find(tx, { id })',
    tests: COLLEAGUES,
  },
  {
    name: 'a foreign id that is told from an absent one',
    law: 'NOT_FOUND is the same for absent and foreign',
    file: 'src/conversations/conversations.service.ts',
    search: "      'conversation',\n      path,\n",
    replace: "      isId(id) ? 'conversation' : 'id',\n      path,\n",
    tests: TENANCY,
  },
  {
    name: 'prompts for members',
    law: 'prompt: null unless ADMIN',
    file: 'src/companies/assistants/prompts.service.ts',
    search: "new Set<Role>(['ADMIN', 'OPERATOR'])",
    replace: "new Set<Role>(['MEMBER', 'ADMIN', 'OPERATOR'])",
    tests: PROMPTS,
  },
  {
    name: 'no roles at all',
    law: 'what is for admins is FORBIDDEN to members',
    file: 'src/companies/auth/viewer.guard.ts',
    search: 'roles.indexOf(viewer.role) < roles.indexOf(needed)',
    replace: 'roles.indexOf(viewer.role) < 0 * roles.indexOf(needed)',
    tests: SKILLS,
  },
  {
    name: 'members who publish prompts',
    law: 'publishPrompt is for admins',
    file: 'src/companies/assistants/assistant.resolver.ts',
    search:
      "  @AtLeast('ADMIN')\n  @Mutation(() => PromptVersionModel, {\n    description:\n      'Publishes",
    replace: "  @Mutation(() => PromptVersionModel, {\n    description:\n      'Publishes",
    tests: PROMPTS,
  },
  {
    name: 'members who roll prompts back',
    law: 'rollbackPrompt is for admins',
    file: 'src/companies/assistants/assistant.resolver.ts',
    search: "  @AtLeast('ADMIN')\n  @Mutation(() => PromptVersionModel, {\n    description:\n      'Restores",
    replace: "  @Mutation(() => PromptVersionModel, {\n    description:\n      'Restores",
    tests: PROMPTS,
  },
  {
    name: 'members who switch skills',
    law: 'setSkillActive is for admins',
    file: 'src/skills/skill-switches.resolver.ts',
    search: "  @AtLeast('ADMIN')\n  @Mutation(() => SkillModel, {\n    description: 'Switches",
    replace: "  @Mutation(() => SkillModel, {\n    description: 'Switches",
    tests: SKILLS,
  },
  {
    name: 'members who lift approvals',
    law: 'setSkillApproval is for admins',
    file: 'src/skills/skill-switches.resolver.ts',
    search:
      "  @AtLeast('ADMIN')\n  @Mutation(() => SkillModel, {\n    description:\n      'Requires approval",
    replace: "  @Mutation(() => SkillModel, {\n    description:\n      'Requires approval",
    tests: COLLEAGUES,
  },
  {
    name: 'members who change the company',
    law: 'updateCompany is for admins',
    file: 'src/companies/company.resolver.ts',
    search: "  @AtLeast('ADMIN')\n  @Mutation(() => CompanyModel",
    replace: '  @Mutation(() => CompanyModel',
    tests: COLLEAGUES,
  },
  {
    name: 'members who see what everybody is asked',
    law: 'pendingApprovals: an admin’s whole company, everybody else’s own turns',
    file: 'src/conversations/turns/inputs/pending-inputs.service.ts',
    search: "viewer.role === 'MEMBER' ? viewer.id : null",
    replace: "viewer.role === 'OPERATOR' ? viewer.id : null",
    tests: TENANCY,
  },
  {
    name: 'askers who allow themselves',
    law: 'an approval is an admin’s to give, unless the skill is set otherwise',
    file: 'src/conversations/turns/inputs/pending-inputs.service.ts',
    search: '(skill?.askerMayApprove ?? approval.askerMayApprove)',
    replace: '(skill?.askerMayApprove ?? approval.askerMayApprove) !== null',
    tests: APPROVALS,
  },
  {
    name: 'edited arguments that are dropped',
    law: 'resolveApproval carries out the arguments that it is given',
    file: 'src/conversations/turns/inputs/pending-inputs.service.ts',
    search: 'arguments: edited ?? approval.arguments,',
    replace: 'arguments: approval.arguments,',
    tests: APPROVALS,
  },

  {
    name: 'questions that anybody in the company answers',
    law: 'what is no approval is for the turn’s member alone',
    file: 'src/conversations/turns/inputs/pending-inputs.service.ts',
    search: "(kind === 'APPROVAL' && viewer.role !== 'MEMBER')",
    replace: "viewer.role !== 'MEMBER'",
    tests: INPUTS,
  },
  {
    name: 'turns that go on before all is answered',
    law: 'the turn goes on when the last of what it waits for is answered',
    file: 'src/conversations/turns/claims/waiting-turns.service.ts',
    search: 'open.length > 0 ? waitingStatus(open)',
    replace: 'open.length > 1 ? waitingStatus(open)',
    tests: INPUTS,
  },

  // Providers of companies
  {
    name: 'a company’s turn at the installation’s provider',
    law: 'nothing of a turn whose model is of the company’s provider goes to the installation’s',
    file: 'src/agent/agent-models.service.ts',
    search: 'if (own) return this.made([wanted], () => own, keyIn(wanted));',
    replace: '',
    tests: PROVIDERS,
  },
  {
    name: 'a key for another host',
    law: 'a provider’s key that is left out stays as before while the host stays the same',
    file: 'src/companies/providers/provider-settings.service.ts',
    search: 'if (new URL(before.baseUrl).origin !== new URL(baseUrl).origin)',
    replace: "if (new URL(before.baseUrl).origin === '')",
    tests: PROVIDERS,
  },
  {
    name: 'a provider in a private network',
    law: 'a provider’s address is on a public network',
    file: 'src/llm/configured-models.ts',
    search: '...(guarded && { guard })',
    replace: '...(guarded && false && { guard })',
    tests: PROVIDERS,
  },
];
