import { Assistant } from '../companies/assistants/assistant.repository.js';
import { PromptVersion } from '../companies/assistants/prompt-version.entity.js';
import { ApiKey } from '../companies/api-keys/api-key.repository.js';
import { AuditEntry } from '../companies/audit/audit.repository.js';
import { CompanyErasure } from '../companies/company-erasure.repository.js';
import { Company } from '../companies/company.repository.js';
import { Member } from '../companies/members/member.repository.js';
import { Conversation } from '../conversations/conversation.repository.js';
import { ConversationSummary } from '../conversations/message-path.repository.js';
import { ConversationBranch } from '../conversations/message-tree.repository.js';
import { Message } from '../conversations/message.repository.js';
import { Schedule, ScheduleRun } from '../conversations/schedules/schedule.repository.js';
import {
  AnalysisPiece,
  AnalysisRequest,
  DocumentAnalysis,
} from '../documents/analysis/analysis.repository.js';
import { DocumentContent } from '../documents/document-content.repository.js';
import { Document } from '../documents/document.entity.js';
import { DocumentTotal } from '../documents/document.repository.js';
import { Passage } from '../documents/passages/passage.repository.js';
import { Memory } from '../memory/memory.entity.js';
import { MemoryName } from '../memory/mentions/name.repository.js';
import { MemoryOwner } from '../memory/memory-owner.entity.js';
import { Notification } from '../companies/notifications/notification.entity.js';
import { Webhook, WebhookDelivery } from '../companies/notifications/webhooks/webhook.repository.js';
import { SearchItem } from '../documents/search-index/search-item.entity.js';
import { SearchList, SearchListBlock, SearchListPart } from '../documents/search-index/search-list.entity.js';
import { SearchScopeRow } from '../documents/search-index/search-scope.entity.js';
import { Provider } from '../companies/providers/provider.entity.js';
import { StoredFile } from '../companies/files/stored-file.entity.js';
import { Upload } from '../companies/files/upload.repository.js';
import { McpServer } from '../skills/mcp/mcp-server.repository.js';
import { SkillRecord } from '../skills/records/skill-record.repository.js';
import { SkillDefinition, SkillRow } from '../skills/skill.repository.js';
import { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import { StepEcho } from '../conversations/turns/model-calls/step-echo.repository.js';
import { Erasure } from '../conversations/turns/erasure/erasure.repository.js';
import { ModelCall } from '../conversations/turns/model-calls/model-call.entity.js';
import { PromptText } from '../conversations/turns/model-calls/prompt-text.repository.js';
import { SkillCall } from '../conversations/turns/skill-call.entity.js';
import { TurnEventRow } from '../conversations/turns/log/turn-event.entity.js';
import { Turn } from '../conversations/turns/turn.entity.js';
import { Quota } from '../companies/usage/quota.repository.js';
import { ProviderTotal, UsageDay } from '../companies/usage/usage.entity.js';

/** All tables: for the data source, and for the check that migrations are complete. */
export const entities = [
  Company,
  CompanyErasure,
  Member,
  ApiKey,
  AuditEntry,
  Assistant,
  Provider,
  PromptVersion,
  Conversation,
  ConversationBranch,
  ConversationSummary,
  Schedule,
  ScheduleRun,
  Message,
  DocumentContent,
  Document,
  DocumentTotal,
  Passage,
  DocumentAnalysis,
  AnalysisPiece,
  AnalysisRequest,
  Memory,
  MemoryName,
  MemoryOwner,
  Turn,
  TurnEventRow,
  SkillCall,
  StepEcho,
  SkillRow,
  SkillDefinition,
  SkillRecord,
  McpServer,
  StoredFile,
  Upload,
  PendingInput,
  Erasure,
  ModelCall,
  PromptText,
  UsageDay,
  ProviderTotal,
  Quota,
  Notification,
  SearchScopeRow,
  SearchItem,
  SearchList,
  SearchListBlock,
  SearchListPart,
  Webhook,
  WebhookDelivery,
];
