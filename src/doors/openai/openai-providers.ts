import { AskedFiles } from './asked-files.service.js';
import { Asks } from './asks.service.js';
import { ChatDoor } from './chat-door.service.js';
import { CompactDoor } from './compact-door.service.js';
import { GivenInputs } from './given-inputs.service.js';
import { InputItems } from './input-items.service.js';
import { ModelsDoor } from './models-door.service.js';
import { ResponsesDoor } from './responses-door.service.js';
import { ResponsesSocket } from './responses-socket.service.js';
import { Responses } from './responses.service.js';
import { Threads } from './threads.service.js';
import { TurnFollower } from './turn-follower.service.js';

/** The door for clients of OpenAI. */
export const openAiProviders = [
  AskedFiles,
  Asks,
  ChatDoor,
  CompactDoor,
  GivenInputs,
  InputItems,
  ModelsDoor,
  Responses,
  ResponsesDoor,
  ResponsesSocket,
  Threads,
  TurnFollower,
];
