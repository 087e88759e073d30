export { type Answer, AskedTurn, type StartedTurn } from './asked-turn.js';
export { StartTurnDocument, TurnEventsDocument } from './generated/graphql.js';
export type {
  AnswerInputInput,
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
  type AttachmentOptions,
  type CallOptions,
  createPalabre,
  type DocumentProgress,
  type Palabre,
  type PalabreOptions,
  type UploadOptions,
} from './palabre.js';
export {
  initialTurn,
  inputOf,
  reduceTurn,
  type TurnEnd,
  type TurnState,
  type TurnStep,
} from './reduce-turn.js';
export type { InputStatus, TurnEvent, TurnEventOf, TurnInput } from './turn-event.js';
export type { TypedDocument } from './typed-document.js';
export type { SendOptions } from './upload.js';
