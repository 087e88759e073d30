import { Assistant } from './assistants/assistant.entity.js';
import { PromptVersion } from './assistants/prompts/prompt-version.entity.js';
import { ApiKey } from './companies/api-keys/api-key.entity.js';
import { AuditEntry } from './companies/audit/audit-entry.entity.js';
import { Company } from './companies/company.entity.js';
import { Member } from './companies/members/member.entity.js';
import { Conversation } from './conversations/conversation.entity.js';
import { Message } from './conversations/message.entity.js';
import { AnalysisPiece } from './documents/analysis/analysis-piece.entity.js';
import { AnalysisRequest } from './documents/analysis/analysis-request.entity.js';
import { DocumentAnalysis } from './documents/analysis/document-analysis.entity.js';
import { DocumentContent } from './documents/document-content.entity.js';
import { Document } from './documents/document.entity.js';
import { Passage } from './documents/passages/passage.entity.js';
import { Memory } from './memory/memory.entity.js';
import { MemoryName } from './memory/index/memory-name.entity.js';
import { MemoryOwner } from './memory/memory-owner.entity.js';
import { Notification } from './notifications/notification.entity.js';
import { Webhook } from './notifications/webhooks/webhook.entity.js';
import { WebhookDelivery } from './notifications/webhooks/webhook-delivery.entity.js';
import { SearchItem } from './search/search-item.entity.js';
import { SearchList } from './search/search-list.entity.js';
import { SearchListPart } from './search/search-list-part.entity.js';
import { SearchScopeRow } from './search/search-scope.entity.js';
import { StoredFile } from './files/stored-file.entity.js';
import { Upload } from './files/upload.entity.js';
import { McpServer } from './skills/mcp/mcp-server.entity.js';
import { SkillDefinition } from './skills/definitions/skill-definition.entity.js';
import { SkillRow } from './skills/skill.entity.js';
import { Approval } from './turns/approvals/approval.entity.js';
import { StepEcho } from './turns/echoes/step-echo.entity.js';
import { Erasure } from './turns/erasure/erasure.entity.js';
import { ModelCall } from './turns/model-calls/model-call.entity.js';
import { PromptText } from './turns/model-calls/prompt-text.entity.js';
import { SkillCall } from './turns/skill-calls/skill-call.entity.js';
import { TurnEventRow } from './turns/log/turn-event.entity.js';
import { Turn } from './turns/turn.entity.js';
import { Quota } from './usage/quota.entity.js';
import { UsageDay } from './usage/usage-day.entity.js';

/** Every table of ours: what the data source maps, and what the drift check compares with the migrations. */
export const entities = [
  Company,
  Member,
  ApiKey,
  AuditEntry,
  Assistant,
  PromptVersion,
  Conversation,
  Message,
  DocumentContent,
  Document,
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
  McpServer,
  StoredFile,
  Upload,
  Approval,
  Erasure,
  ModelCall,
  PromptText,
  UsageDay,
  Quota,
  Notification,
  SearchScopeRow,
  SearchItem,
  SearchList,
  SearchListPart,
  Webhook,
  WebhookDelivery,
];
