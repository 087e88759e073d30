import { Assistant } from '../companies/assistants/assistant.entity.js';
import { PromptVersion } from '../companies/assistants/prompt-version.entity.js';
import { ApiKey } from '../companies/api-keys/api-key.entity.js';
import { AuditEntry } from '../companies/audit/audit-entry.entity.js';
import { CompanyErasure } from '../companies/company-erasure.entity.js';
import { Company } from '../companies/company.entity.js';
import { Member } from '../companies/members/member.entity.js';
import { Conversation } from '../conversations/conversation.entity.js';
import { ConversationBranch } from '../conversations/conversation-branch.entity.js';
import { ConversationSummary } from '../conversations/conversation-summary.entity.js';
import { Message } from '../conversations/message.entity.js';
import { Schedule, ScheduleRun } from '../conversations/schedules/schedule.entity.js';
import { AnalysisPiece } from '../documents/analysis/analysis-piece.entity.js';
import { AnalysisRequest } from '../documents/analysis/analysis-request.entity.js';
import { DocumentAnalysis } from '../documents/analysis/document-analysis.entity.js';
import { DocumentContent } from '../documents/document-content.entity.js';
import { Document } from '../documents/document.entity.js';
import { DocumentTotal } from '../documents/document-total.entity.js';
import { Passage } from '../documents/passages/passage.entity.js';
import { Memory } from '../memory/memory.entity.js';
import { MemoryName } from '../memory/memory-name.entity.js';
import { MemoryOwner } from '../memory/memory-owner.entity.js';
import { Notification } from '../companies/notifications/notification.entity.js';
import { Webhook } from '../companies/notifications/webhooks/webhook.entity.js';
import { WebhookDelivery } from '../companies/notifications/webhooks/webhook-delivery.entity.js';
import { SearchItem } from '../documents/search-index/search-item.entity.js';
import { SearchList, SearchListBlock, SearchListPart } from '../documents/search-index/search-list.entity.js';
import { SearchScopeRow } from '../documents/search-index/search-scope.entity.js';
import { Provider } from '../companies/providers/provider.entity.js';
import { StoredFile } from '../companies/files/stored-file.entity.js';
import { Upload } from '../companies/files/upload.entity.js';
import { McpServer } from '../skills/mcp/mcp-server.entity.js';
import { SkillRecord } from '../skills/records/skill-record.entity.js';
import { SkillDefinition, SkillRow } from '../skills/skill.entity.js';
import { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import { StepEcho } from '../conversations/turns/model-calls/step-echo.entity.js';
import { Erasure } from '../conversations/turns/erasure/erasure.entity.js';
import { ModelCall } from '../conversations/turns/model-calls/model-call.entity.js';
import { PromptText } from '../conversations/turns/model-calls/prompt-text.entity.js';
import { SkillCall } from '../conversations/turns/skill-call.entity.js';
import { TurnEventRow } from '../conversations/turns/log/turn-event.entity.js';
import { Turn } from '../conversations/turns/turn.entity.js';
import { Quota } from '../companies/usage/quota.entity.js';
import { UsageDay, UsageTotal } from '../companies/usage/usage.entity.js';

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
  UsageTotal,
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
