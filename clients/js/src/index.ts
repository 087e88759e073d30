export { type Answer, AskedTurn, type StartedTurn } from './asked-turn.js';
export type {
  DocumentStatus,
  FinishReason,
  PendingStatus,
  RegenerateInput,
  ResolveApprovalInput,
  SkillCallStatus,
  StartTurnInput,
  TurnStatus,
  WhenBusy,
} from './generated/graphql.js';
export { type ErrorDetails, PalabreError } from './palabre-error.js';
export {
  type CallOptions,
  createPalabre,
  type DocumentProgress,
  type Palabre,
  type PalabreOptions,
  type UploadOptions,
} from './palabre.js';
export { initialTurn, reduceTurn, type TurnEnd, type TurnState, type TurnStep } from './reduce-turn.js';
export type { InputStatus, TurnEvent, TurnEventOf, TurnInput } from './turn-event.js';
export type { TypedDocument } from './typed-document.js';
export type { SendOptions } from './upload.js';
