import type { PendingStatus, TurnEventsSubscription } from './generated/graphql.js';

interface InputBase {
  readonly id: string;
  readonly turnId: string;
  readonly status: InputStatus;
  readonly expiresAt: string;
  /** Who asked the turn's question, and what it was, for those who may decide. */
  readonly askedByName?: string | null;
  readonly askedIn?: string | null;
}

export type InputStatus = PendingStatus;

/** Whatever a turn waits for somebody to give. `kind` says which of its fields there are. */
export type TurnInput = InputBase &
  (
    | {
        readonly kind: 'APPROVAL';
        readonly skill: string;
        readonly arguments: unknown;
        readonly reason: string | null;
      }
    | { readonly kind: 'QUESTION'; readonly prompt: string; readonly responseSchema: unknown }
    | {
        readonly kind: 'CLIENT_SKILL';
        readonly callId: string;
        readonly skill: string;
        readonly arguments: unknown;
      }
    | {
        readonly kind: 'MCP_INPUT';
        readonly server: string;
        readonly message: string;
        readonly responseSchema: unknown;
        readonly url: string | null;
      }
  );

/**
 * An event of a turn. A newer server may send others, and other values of enums: leave a `default` wherever you tell
 * them apart.
 */
export type TurnEvent = Readonly<TurnEventsSubscription['turnEvents']>;

export type TurnEventOf<Name extends TurnEvent['__typename']> = Extract<TurnEvent, { __typename: Name }>;
