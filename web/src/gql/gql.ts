/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
  '\n  query Viewer {\n    viewer {\n      id\n      name\n      email\n      role\n      company {\n        id\n        name\n      }\n    }\n  }\n': typeof types.ViewerDocument;
  '\n  query AssistantsScreen {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n      model\n      archived\n      showsReasoning\n      budget {\n        maxSteps\n        maxSeconds\n        maxOutputTokens\n      }\n      prompt {\n        version\n        template\n      }\n      promptHistory {\n        version\n        template\n        publishedAt\n        publishedBy\n        note\n      }\n    }\n  }\n': typeof types.AssistantsScreenDocument;
  '\n  mutation CreateAssistant($input: CreateAssistantInput!) {\n    createAssistant(input: $input) {\n      id\n      key\n    }\n  }\n': typeof types.CreateAssistantDocument;
  '\n  mutation CopyAssistant($key: String!, $newKey: String!, $name: String!) {\n    copyAssistant(key: $key, newKey: $newKey, name: $name) {\n      id\n      key\n    }\n  }\n': typeof types.CopyAssistantDocument;
  '\n  mutation ArchiveAssistant($key: String!, $archived: Boolean!) {\n    archiveAssistant(key: $key, archived: $archived) {\n      id\n      archived\n    }\n  }\n': typeof types.ArchiveAssistantDocument;
  '\n  mutation UpdateAssistant($key: String!, $input: UpdateAssistantInput!) {\n    updateAssistant(key: $key, input: $input) {\n      id\n    }\n  }\n': typeof types.UpdateAssistantDocument;
  '\n  mutation PublishPrompt($assistantKey: String!, $template: String!, $note: String) {\n    publishPrompt(assistantKey: $assistantKey, template: $template, note: $note) {\n      version\n    }\n  }\n': typeof types.PublishPromptDocument;
  '\n  mutation RollbackPrompt($assistantKey: String!, $version: Int!) {\n    rollbackPrompt(assistantKey: $assistantKey, version: $version) {\n      version\n    }\n  }\n': typeof types.RollbackPromptDocument;
  '\n  query ConversationList($first: Int!, $filter: ConversationFilter, $after: String) {\n    conversations(first: $first, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          title\n          updatedAt\n          pinned\n          archived\n          assistant {\n            id\n            name\n          }\n          activeTurn {\n            id\n            status\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.ConversationListDocument;
  '\n  query Conversation($id: ID!, $last: Int!, $before: String, $leaf: ID, $language: String!) {\n    conversation(id: $id) {\n      id\n      title\n      assistant {\n        id\n        key\n        name\n        language\n      }\n      messages(last: $last, before: $before, leaf: $leaf) {\n        edges {\n          node {\n            id\n            role\n            status\n            text\n            createdAt\n            author\n            parts {\n              __typename\n              ... on ReasoningPart {\n                text\n              }\n              ... on ImagePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n              ... on FilePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n            }\n            versions {\n              id\n            }\n            citations {\n              marker\n              documentId\n              documentName\n              page\n              quote\n            }\n            trustedAddresses\n            turn {\n              id\n              status\n              finishReason\n              createdAt\n              finishedAt\n              error {\n                code\n                message\n                retryable\n              }\n              skillCalls {\n                id\n                skill\n                arguments\n                status\n                resultPreview\n                startedAt\n                finishedAt\n              }\n              files {\n                id\n                name\n                bytes\n                url\n              }\n            }\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n\n  fragment ShownAttachment on Attachment {\n    id\n    kind\n    name\n    url\n    error(language: $language)\n  }\n': typeof types.ConversationDocument;
  '\n  query Assistants {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n    }\n  }\n': typeof types.AssistantsDocument;
  '\n  query SkillNames($language: String!) {\n    skills {\n      id\n      key\n      name(language: $language)\n    }\n  }\n': typeof types.SkillNamesDocument;
  '\n  mutation UpdateConversation($input: UpdateConversationInput!) {\n    updateConversation(input: $input) {\n      id\n      title\n      pinned\n      archived\n    }\n  }\n': typeof types.UpdateConversationDocument;
  '\n  subscription ConversationsChanged {\n    conversationsChanged {\n      id\n      updatedAt\n    }\n  }\n': typeof types.ConversationsChangedDocument;
  '\n  subscription ConversationDeleted {\n    conversationDeleted\n  }\n': typeof types.ConversationDeletedDocument;
  '\n  subscription ConversationChanged($id: ID!) {\n    conversationChanged(id: $id) {\n      id\n      updatedAt\n      head {\n        id\n      }\n      activeTurn {\n        id\n        status\n      }\n    }\n  }\n': typeof types.ConversationChangedDocument;
  '\n  mutation DeleteConversation($id: ID!) {\n    deleteConversation(id: $id)\n  }\n': typeof types.DeleteConversationDocument;
  '\n  mutation SelectMessage($id: ID!) {\n    selectMessage(id: $id) {\n      id\n    }\n  }\n': typeof types.SelectMessageDocument;
  '\n  query DocumentLink($id: ID!) {\n    document(id: $id) {\n      id\n      mediaType\n      url\n    }\n  }\n': typeof types.DocumentLinkDocument;
  '\n  query AttachmentError($id: ID!, $language: String!) {\n    attachment(id: $id) {\n      id\n      name\n      error(language: $language)\n    }\n  }\n': typeof types.AttachmentErrorDocument;
  '\n  query CompanyScreen {\n    company {\n      id\n      name\n      sector\n      country\n      city\n      headcount\n      language\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          email\n          role\n          deactivatedAt\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          memberId\n          name\n          role\n          scopes\n          createdAt\n          expiresAt\n          lastUsedAt\n          pausedAt\n          revokedAt\n          createdBy {\n            id\n            name\n          }\n        }\n      }\n    }\n    webhooks {\n      id\n      url\n      kinds\n      disabledAt\n      lastFailure\n      lastSuccessAt\n    }\n    providers {\n      id\n      key\n      baseUrl\n      api\n      hasApiKey\n      models {\n        name\n      }\n    }\n  }\n': typeof types.CompanyScreenDocument;
  '\n  query Audit($filter: AuditFilter, $after: String) {\n    auditEntries(first: 30, after: $after, filter: $filter) {\n      edges {\n        node {\n          id\n          action\n          subject\n          memberName\n          createdAt\n          details\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.AuditDocument;
  '\n  mutation UpdateCompany($input: UpdateCompanyInput!) {\n    updateCompany(input: $input) {\n      id\n    }\n  }\n': typeof types.UpdateCompanyDocument;
  '\n  mutation DeactivateMember($id: ID!) {\n    deactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n': typeof types.DeactivateMemberDocument;
  '\n  mutation ReactivateMember($id: ID!) {\n    reactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n': typeof types.ReactivateMemberDocument;
  '\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      secret\n      apiKey {\n        id\n      }\n    }\n  }\n': typeof types.CreateApiKeyDocument;
  '\n  mutation DeleteApiKey($id: ID!) {\n    deleteApiKey(id: $id)\n  }\n': typeof types.DeleteApiKeyDocument;
  '\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n      }\n    }\n  }\n': typeof types.CreateWebhookDocument;
  '\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n': typeof types.DeleteWebhookDocument;
  '\n  mutation SetProvider($input: SetProviderInput!) {\n    setProvider(input: $input) {\n      id\n    }\n  }\n': typeof types.SetProviderDocument;
  '\n  mutation TestProvider($key: String!) {\n    testProvider(key: $key) {\n      ok\n      message\n      model\n      durationMs\n    }\n  }\n': typeof types.TestProviderDocument;
  '\n  mutation DeleteProvider($key: String!) {\n    deleteProvider(key: $key)\n  }\n': typeof types.DeleteProviderDocument;
  '\n  fragment ListedDocument on Document {\n    id\n    name\n    bytes\n    pages\n    status\n    progress\n    error(language: $language)\n    warnings(language: $language)\n    createdAt\n  }\n': typeof types.ListedDocumentFragmentDoc;
  '\n  query Documents($after: String, $language: String!) {\n    documents(first: 30, after: $after) {\n      edges {\n        node {\n          ...ListedDocument\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.DocumentsDocument;
  '\n  query DocumentStorage {\n    documentStorage {\n      documents\n      bytes\n      maxDocuments\n      maxBytes\n    }\n  }\n': typeof types.DocumentStorageDocument;
  '\n  subscription DocumentProgress($id: ID!, $language: String!) {\n    documentProgress(documentId: $id) {\n      ...ListedDocument\n    }\n  }\n': typeof types.DocumentProgressDocument;
  '\n  mutation DeleteDocument($id: ID!) {\n    deleteDocument(id: $id)\n  }\n': typeof types.DeleteDocumentDocument;
  '\n  query SearchDocuments($query: String!) {\n    searchDocuments(query: $query, first: 10) {\n      id\n      page\n      text\n      missing\n      document {\n        id\n        name\n      }\n    }\n  }\n': typeof types.SearchDocumentsDocument;
  "\n  query Inbox {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n          turnId\n          kind\n          status\n          expiresAt\n          askedByName\n          askedIn\n          ... on Approval {\n            skill\n            arguments\n            reason\n          }\n          ... on Question {\n            prompt\n            responseSchema\n          }\n          ... on ClientSkillCall {\n            callId\n            skill\n            arguments\n          }\n          ... on McpInputRequest {\n            server\n            message\n            # Null is no value of a question's.\n            schema: responseSchema\n            url\n          }\n        }\n      }\n    }\n    notifications(first: 50) {\n      edges {\n        node {\n          id\n          kind\n          title\n          body\n          readAt\n          createdAt\n          turn {\n            id\n            conversation {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.InboxDocument;
  '\n  mutation MarkRead($id: ID!) {\n    markNotificationRead(id: $id) {\n      id\n      readAt\n    }\n  }\n': typeof types.MarkReadDocument;
  '\n  query Waiting {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n        }\n      }\n    }\n  }\n': typeof types.WaitingDocument;
  '\n  subscription NotificationAdded {\n    notificationAdded {\n      id\n      title\n    }\n  }\n': typeof types.NotificationAddedDocument;
  '\n  fragment NotedMemory on Memory {\n    id\n    kind\n    subject\n    content\n    shared\n    source\n    validFrom\n  }\n': typeof types.NotedMemoryFragmentDoc;
  '\n  query Memories($kind: MemoryKind, $after: String) {\n    memories(kind: $kind, active: true, first: 30, after: $after) {\n      edges {\n        node {\n          ...NotedMemory\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.MemoriesDocument;
  '\n  query MemoryHistory($id: ID!) {\n    node(id: $id) {\n      ... on Memory {\n        id\n        history {\n          ...NotedMemory\n        }\n      }\n    }\n  }\n': typeof types.MemoryHistoryDocument;
  '\n  query WhatWouldBeTold($message: String!) {\n    memoryContext(message: $message) {\n      tokens\n      budget\n      omitted\n      items {\n        section\n        text\n        tokens\n      }\n    }\n  }\n': typeof types.WhatWouldBeToldDocument;
  '\n  mutation Remember($input: RememberInput!) {\n    remember(input: $input) {\n      id\n    }\n  }\n': typeof types.RememberDocument;
  '\n  mutation Correct($id: ID!, $content: String!) {\n    updateMemory(id: $id, content: $content) {\n      id\n    }\n  }\n': typeof types.CorrectDocument;
  '\n  mutation Forget($id: ID!) {\n    forget(id: $id)\n  }\n': typeof types.ForgetDocument;
  '\n  query Schedules($after: String, $ofCompany: Boolean) {\n    schedules(first: 20, after: $after, ofCompany: $ofCompany) {\n      edges {\n        node {\n          id\n          status\n          pausedReason\n          cron\n          at\n          timeZone\n          nextAt\n          message\n          memberId\n          missedRuns\n          assistant {\n            id\n            name\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.SchedulesDocument;
  '\n  query ScheduleRuns($id: ID!) {\n    node(id: $id) {\n      id\n      ... on Schedule {\n        runs(first: 50) {\n          edges {\n            cursor\n            node {\n              dueAt\n              outcome\n              reason\n              turn {\n                id\n                status\n                conversation {\n                  id\n                }\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n': typeof types.ScheduleRunsDocument;
  '\n  mutation CreateSchedule($input: CreateScheduleInput!) {\n    createSchedule(input: $input) {\n      id\n    }\n  }\n': typeof types.CreateScheduleDocument;
  '\n  mutation UpdateSchedule($input: UpdateScheduleInput!) {\n    updateSchedule(input: $input) {\n      id\n    }\n  }\n': typeof types.UpdateScheduleDocument;
  '\n  mutation SetScheduleActive($id: ID!, $active: Boolean!) {\n    setScheduleActive(id: $id, active: $active) {\n      id\n    }\n  }\n': typeof types.SetScheduleActiveDocument;
  '\n  mutation RunSchedule($id: ID!) {\n    runSchedule(id: $id) {\n      ... on TurnAccepted {\n        conversation {\n          id\n        }\n      }\n      ... on Refusal {\n        message\n      }\n    }\n  }\n': typeof types.RunScheduleDocument;
  '\n  mutation DeleteSchedule($id: ID!) {\n    deleteSchedule(id: $id)\n  }\n': typeof types.DeleteScheduleDocument;
  '\n  fragment ListedSkill on Skill {\n    id\n    key\n    name(language: $language)\n    description(language: $language)\n    kind\n    category\n    own\n    active\n    available\n    unavailableReason(language: $language)\n    requiresApproval\n    exposed\n    changes\n    leastRole\n    assistants\n    warnings(language: $language)\n    inputSchema\n    lastWeek {\n      calls\n      failures\n    }\n  }\n': typeof types.ListedSkillFragmentDoc;
  '\n  query Skills($language: String!) {\n    skills {\n      ...ListedSkill\n    }\n    assistants {\n      id\n      key\n      name\n    }\n  }\n': typeof types.SkillsDocument;
  '\n  mutation SetSkillActive($key: String!, $active: Boolean!) {\n    setSkillActive(key: $key, active: $active) {\n      id\n      active\n    }\n  }\n': typeof types.SetSkillActiveDocument;
  '\n  mutation SetSkillApproval($key: String!, $required: Boolean!) {\n    setSkillApproval(key: $key, required: $required) {\n      id\n      requiresApproval\n    }\n  }\n': typeof types.SetSkillApprovalDocument;
  '\n  mutation SetSkillExposed($key: String!, $exposed: Boolean!) {\n    setSkillExposed(key: $key, exposed: $exposed) {\n      id\n      exposed\n    }\n  }\n': typeof types.SetSkillExposedDocument;
  '\n  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {\n    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {\n      id\n      leastRole\n      assistants\n    }\n  }\n': typeof types.SetSkillAccessDocument;
  '\n  mutation DeleteHttpSkill($key: String!) {\n    deleteHttpSkill(key: $key)\n  }\n': typeof types.DeleteHttpSkillDocument;
  '\n  mutation DeletePack($key: String!) {\n    deletePack(key: $key)\n  }\n': typeof types.DeletePackDocument;
  '\n  mutation TryHttpSkill($key: String!, $arguments: JSON!) {\n    tryHttpSkill(key: $key, arguments: $arguments) {\n      durationMs\n      error\n      result\n      request {\n        method\n        url\n      }\n      response {\n        status\n        mediaType\n        bytes\n        excerpt\n      }\n    }\n  }\n': typeof types.TryHttpSkillDocument;
  '\n  mutation PreviewOpenApi($input: OpenApiSourceInput!) {\n    previewOpenApiImport(input: $input) {\n      title\n      serverUrl\n      omitted\n      credentials {\n        name\n        in\n      }\n      operations {\n        operationId\n        key\n        method\n        path\n        summary\n        isImportable\n        problems\n      }\n    }\n  }\n': typeof types.PreviewOpenApiDocument;
  '\n  mutation ImportOpenApi($input: ImportOpenApiInput!) {\n    importOpenApiOperations(input: $input) {\n      skills {\n        id\n        name\n      }\n      refused {\n        operationId\n        reason\n      }\n    }\n  }\n': typeof types.ImportOpenApiDocument;
  '\n  query McpServers {\n    mcpServersConnection(first: 100) {\n      edges {\n        node {\n          id\n          key\n          url\n          checkedAt\n          failure\n          notes\n          authorization\n          grantedAt\n        }\n      }\n    }\n    installedMcpServers {\n      key\n      state\n      failure\n      notes\n      tools\n    }\n  }\n': typeof types.McpServersDocument;
  '\n  mutation RegisterMcpServer($input: RegisterMcpServerInput!) {\n    registerMcpServer(input: $input) {\n      id\n      failure\n    }\n  }\n': typeof types.RegisterMcpServerDocument;
  '\n  mutation RefreshMcpServer($key: String!) {\n    refreshMcpServer(key: $key) {\n      id\n      checkedAt\n      failure\n      notes\n    }\n  }\n': typeof types.RefreshMcpServerDocument;
  '\n  mutation DeleteMcpServer($key: String!) {\n    deleteMcpServer(key: $key)\n  }\n': typeof types.DeleteMcpServerDocument;
  '\n  query RefusedPacks {\n    refusedPacks {\n      path\n      reason\n    }\n  }\n': typeof types.RefusedPacksDocument;
  '\n  mutation CreateSkillUpload($input: CreateSkillUploadInput!) {\n    createSkillUpload(input: $input) {\n      url\n      method\n      headers\n    }\n  }\n': typeof types.CreateSkillUploadDocument;
  '\n  mutation AuthorizeMcpServer($input: AuthorizeMcpServerInput!) {\n    authorizeMcpServer(input: $input) {\n      url\n      server {\n        id\n        authorization\n        grantedAt\n        failure\n      }\n    }\n  }\n': typeof types.AuthorizeMcpServerDocument;
  '\n  mutation DeauthorizeMcpServer($key: String!) {\n    deauthorizeMcpServer(key: $key) {\n      id\n      authorization\n      grantedAt\n    }\n  }\n': typeof types.DeauthorizeMcpServerDocument;
  '\n  query TurnFilters {\n    assistants {\n      id\n      key\n      name\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n        }\n      }\n    }\n  }\n': typeof types.TurnFiltersDocument;
  '\n  query Turns($filter: TurnFilter, $after: String) {\n    turns(first: 20, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n          }\n          usage {\n            costUsd\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n': typeof types.TurnsDocument;
  '\n  query TurnDetails($filter: TurnFilter!) {\n    turns(first: 20, filter: $filter) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          startedAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n            message\n            retryable\n          }\n          usage {\n            inputTokens\n            cachedInputTokens\n            outputTokens\n            modelCalls\n            skillCalls\n            costUsd\n          }\n          modelCalls {\n            id\n            at\n            durationMs\n            purpose\n            model\n            outcome\n            inputTokens\n            outputTokens\n            costUsd\n          }\n          skillCalls {\n            id\n            skill\n            status\n            startedAt\n            finishedAt\n          }\n        }\n      }\n    }\n  }\n': typeof types.TurnDetailsDocument;
  '\n  mutation ShowTurn($id: ID!, $reason: String!) {\n    showTurn(id: $id, reason: $reason) {\n      question\n      answer\n      skillCalls {\n        id\n        skill\n        arguments\n        resultPreview\n      }\n      modelCalls {\n        id\n        purpose\n        model\n        messages\n      }\n    }\n  }\n': typeof types.ShowTurnDocument;
  '\n  query UsageOf($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {\n    usage(from: $from, to: $to, groupBy: $groupBy) {\n      day\n      assistantKey\n      model\n      member {\n        id\n        name\n      }\n      inputTokens\n      outputTokens\n      cachedInputTokens\n      modelCalls\n      estimatedCalls\n      unpricedCalls\n      costUsd\n    }\n  }\n': typeof types.UsageOfDocument;
  '\n  query Quotas {\n    quotas {\n      subject\n      period\n      provider\n      maxTokens\n      maxCostUsd\n      member {\n        id\n        name\n      }\n    }\n    providers {\n      id\n      key\n    }\n  }\n': typeof types.QuotasDocument;
  '\n  mutation SetQuota($input: SetQuotaInput!) {\n    setQuota(input: $input) {\n      subject\n    }\n  }\n': typeof types.SetQuotaDocument;
};
const documents: Documents = {
  '\n  query Viewer {\n    viewer {\n      id\n      name\n      email\n      role\n      company {\n        id\n        name\n      }\n    }\n  }\n':
    types.ViewerDocument,
  '\n  query AssistantsScreen {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n      model\n      archived\n      showsReasoning\n      budget {\n        maxSteps\n        maxSeconds\n        maxOutputTokens\n      }\n      prompt {\n        version\n        template\n      }\n      promptHistory {\n        version\n        template\n        publishedAt\n        publishedBy\n        note\n      }\n    }\n  }\n':
    types.AssistantsScreenDocument,
  '\n  mutation CreateAssistant($input: CreateAssistantInput!) {\n    createAssistant(input: $input) {\n      id\n      key\n    }\n  }\n':
    types.CreateAssistantDocument,
  '\n  mutation CopyAssistant($key: String!, $newKey: String!, $name: String!) {\n    copyAssistant(key: $key, newKey: $newKey, name: $name) {\n      id\n      key\n    }\n  }\n':
    types.CopyAssistantDocument,
  '\n  mutation ArchiveAssistant($key: String!, $archived: Boolean!) {\n    archiveAssistant(key: $key, archived: $archived) {\n      id\n      archived\n    }\n  }\n':
    types.ArchiveAssistantDocument,
  '\n  mutation UpdateAssistant($key: String!, $input: UpdateAssistantInput!) {\n    updateAssistant(key: $key, input: $input) {\n      id\n    }\n  }\n':
    types.UpdateAssistantDocument,
  '\n  mutation PublishPrompt($assistantKey: String!, $template: String!, $note: String) {\n    publishPrompt(assistantKey: $assistantKey, template: $template, note: $note) {\n      version\n    }\n  }\n':
    types.PublishPromptDocument,
  '\n  mutation RollbackPrompt($assistantKey: String!, $version: Int!) {\n    rollbackPrompt(assistantKey: $assistantKey, version: $version) {\n      version\n    }\n  }\n':
    types.RollbackPromptDocument,
  '\n  query ConversationList($first: Int!, $filter: ConversationFilter, $after: String) {\n    conversations(first: $first, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          title\n          updatedAt\n          pinned\n          archived\n          assistant {\n            id\n            name\n          }\n          activeTurn {\n            id\n            status\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.ConversationListDocument,
  '\n  query Conversation($id: ID!, $last: Int!, $before: String, $leaf: ID, $language: String!) {\n    conversation(id: $id) {\n      id\n      title\n      assistant {\n        id\n        key\n        name\n        language\n      }\n      messages(last: $last, before: $before, leaf: $leaf) {\n        edges {\n          node {\n            id\n            role\n            status\n            text\n            createdAt\n            author\n            parts {\n              __typename\n              ... on ReasoningPart {\n                text\n              }\n              ... on ImagePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n              ... on FilePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n            }\n            versions {\n              id\n            }\n            citations {\n              marker\n              documentId\n              documentName\n              page\n              quote\n            }\n            trustedAddresses\n            turn {\n              id\n              status\n              finishReason\n              createdAt\n              finishedAt\n              error {\n                code\n                message\n                retryable\n              }\n              skillCalls {\n                id\n                skill\n                arguments\n                status\n                resultPreview\n                startedAt\n                finishedAt\n              }\n              files {\n                id\n                name\n                bytes\n                url\n              }\n            }\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n\n  fragment ShownAttachment on Attachment {\n    id\n    kind\n    name\n    url\n    error(language: $language)\n  }\n':
    types.ConversationDocument,
  '\n  query Assistants {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n    }\n  }\n':
    types.AssistantsDocument,
  '\n  query SkillNames($language: String!) {\n    skills {\n      id\n      key\n      name(language: $language)\n    }\n  }\n':
    types.SkillNamesDocument,
  '\n  mutation UpdateConversation($input: UpdateConversationInput!) {\n    updateConversation(input: $input) {\n      id\n      title\n      pinned\n      archived\n    }\n  }\n':
    types.UpdateConversationDocument,
  '\n  subscription ConversationsChanged {\n    conversationsChanged {\n      id\n      updatedAt\n    }\n  }\n':
    types.ConversationsChangedDocument,
  '\n  subscription ConversationDeleted {\n    conversationDeleted\n  }\n': types.ConversationDeletedDocument,
  '\n  subscription ConversationChanged($id: ID!) {\n    conversationChanged(id: $id) {\n      id\n      updatedAt\n      head {\n        id\n      }\n      activeTurn {\n        id\n        status\n      }\n    }\n  }\n':
    types.ConversationChangedDocument,
  '\n  mutation DeleteConversation($id: ID!) {\n    deleteConversation(id: $id)\n  }\n':
    types.DeleteConversationDocument,
  '\n  mutation SelectMessage($id: ID!) {\n    selectMessage(id: $id) {\n      id\n    }\n  }\n':
    types.SelectMessageDocument,
  '\n  query DocumentLink($id: ID!) {\n    document(id: $id) {\n      id\n      mediaType\n      url\n    }\n  }\n':
    types.DocumentLinkDocument,
  '\n  query AttachmentError($id: ID!, $language: String!) {\n    attachment(id: $id) {\n      id\n      name\n      error(language: $language)\n    }\n  }\n':
    types.AttachmentErrorDocument,
  '\n  query CompanyScreen {\n    company {\n      id\n      name\n      sector\n      country\n      city\n      headcount\n      language\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          email\n          role\n          deactivatedAt\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          memberId\n          name\n          role\n          scopes\n          createdAt\n          expiresAt\n          lastUsedAt\n          pausedAt\n          revokedAt\n          createdBy {\n            id\n            name\n          }\n        }\n      }\n    }\n    webhooks {\n      id\n      url\n      kinds\n      disabledAt\n      lastFailure\n      lastSuccessAt\n    }\n    providers {\n      id\n      key\n      baseUrl\n      api\n      hasApiKey\n      models {\n        name\n      }\n    }\n  }\n':
    types.CompanyScreenDocument,
  '\n  query Audit($filter: AuditFilter, $after: String) {\n    auditEntries(first: 30, after: $after, filter: $filter) {\n      edges {\n        node {\n          id\n          action\n          subject\n          memberName\n          createdAt\n          details\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.AuditDocument,
  '\n  mutation UpdateCompany($input: UpdateCompanyInput!) {\n    updateCompany(input: $input) {\n      id\n    }\n  }\n':
    types.UpdateCompanyDocument,
  '\n  mutation DeactivateMember($id: ID!) {\n    deactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n':
    types.DeactivateMemberDocument,
  '\n  mutation ReactivateMember($id: ID!) {\n    reactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n':
    types.ReactivateMemberDocument,
  '\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      secret\n      apiKey {\n        id\n      }\n    }\n  }\n':
    types.CreateApiKeyDocument,
  '\n  mutation DeleteApiKey($id: ID!) {\n    deleteApiKey(id: $id)\n  }\n': types.DeleteApiKeyDocument,
  '\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n      }\n    }\n  }\n':
    types.CreateWebhookDocument,
  '\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n': types.DeleteWebhookDocument,
  '\n  mutation SetProvider($input: SetProviderInput!) {\n    setProvider(input: $input) {\n      id\n    }\n  }\n':
    types.SetProviderDocument,
  '\n  mutation TestProvider($key: String!) {\n    testProvider(key: $key) {\n      ok\n      message\n      model\n      durationMs\n    }\n  }\n':
    types.TestProviderDocument,
  '\n  mutation DeleteProvider($key: String!) {\n    deleteProvider(key: $key)\n  }\n':
    types.DeleteProviderDocument,
  '\n  fragment ListedDocument on Document {\n    id\n    name\n    bytes\n    pages\n    status\n    progress\n    error(language: $language)\n    warnings(language: $language)\n    createdAt\n  }\n':
    types.ListedDocumentFragmentDoc,
  '\n  query Documents($after: String, $language: String!) {\n    documents(first: 30, after: $after) {\n      edges {\n        node {\n          ...ListedDocument\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.DocumentsDocument,
  '\n  query DocumentStorage {\n    documentStorage {\n      documents\n      bytes\n      maxDocuments\n      maxBytes\n    }\n  }\n':
    types.DocumentStorageDocument,
  '\n  subscription DocumentProgress($id: ID!, $language: String!) {\n    documentProgress(documentId: $id) {\n      ...ListedDocument\n    }\n  }\n':
    types.DocumentProgressDocument,
  '\n  mutation DeleteDocument($id: ID!) {\n    deleteDocument(id: $id)\n  }\n': types.DeleteDocumentDocument,
  '\n  query SearchDocuments($query: String!) {\n    searchDocuments(query: $query, first: 10) {\n      id\n      page\n      text\n      missing\n      document {\n        id\n        name\n      }\n    }\n  }\n':
    types.SearchDocumentsDocument,
  "\n  query Inbox {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n          turnId\n          kind\n          status\n          expiresAt\n          askedByName\n          askedIn\n          ... on Approval {\n            skill\n            arguments\n            reason\n          }\n          ... on Question {\n            prompt\n            responseSchema\n          }\n          ... on ClientSkillCall {\n            callId\n            skill\n            arguments\n          }\n          ... on McpInputRequest {\n            server\n            message\n            # Null is no value of a question's.\n            schema: responseSchema\n            url\n          }\n        }\n      }\n    }\n    notifications(first: 50) {\n      edges {\n        node {\n          id\n          kind\n          title\n          body\n          readAt\n          createdAt\n          turn {\n            id\n            conversation {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n":
    types.InboxDocument,
  '\n  mutation MarkRead($id: ID!) {\n    markNotificationRead(id: $id) {\n      id\n      readAt\n    }\n  }\n':
    types.MarkReadDocument,
  '\n  query Waiting {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n        }\n      }\n    }\n  }\n':
    types.WaitingDocument,
  '\n  subscription NotificationAdded {\n    notificationAdded {\n      id\n      title\n    }\n  }\n':
    types.NotificationAddedDocument,
  '\n  fragment NotedMemory on Memory {\n    id\n    kind\n    subject\n    content\n    shared\n    source\n    validFrom\n  }\n':
    types.NotedMemoryFragmentDoc,
  '\n  query Memories($kind: MemoryKind, $after: String) {\n    memories(kind: $kind, active: true, first: 30, after: $after) {\n      edges {\n        node {\n          ...NotedMemory\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.MemoriesDocument,
  '\n  query MemoryHistory($id: ID!) {\n    node(id: $id) {\n      ... on Memory {\n        id\n        history {\n          ...NotedMemory\n        }\n      }\n    }\n  }\n':
    types.MemoryHistoryDocument,
  '\n  query WhatWouldBeTold($message: String!) {\n    memoryContext(message: $message) {\n      tokens\n      budget\n      omitted\n      items {\n        section\n        text\n        tokens\n      }\n    }\n  }\n':
    types.WhatWouldBeToldDocument,
  '\n  mutation Remember($input: RememberInput!) {\n    remember(input: $input) {\n      id\n    }\n  }\n':
    types.RememberDocument,
  '\n  mutation Correct($id: ID!, $content: String!) {\n    updateMemory(id: $id, content: $content) {\n      id\n    }\n  }\n':
    types.CorrectDocument,
  '\n  mutation Forget($id: ID!) {\n    forget(id: $id)\n  }\n': types.ForgetDocument,
  '\n  query Schedules($after: String, $ofCompany: Boolean) {\n    schedules(first: 20, after: $after, ofCompany: $ofCompany) {\n      edges {\n        node {\n          id\n          status\n          pausedReason\n          cron\n          at\n          timeZone\n          nextAt\n          message\n          memberId\n          missedRuns\n          assistant {\n            id\n            name\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.SchedulesDocument,
  '\n  query ScheduleRuns($id: ID!) {\n    node(id: $id) {\n      id\n      ... on Schedule {\n        runs(first: 50) {\n          edges {\n            cursor\n            node {\n              dueAt\n              outcome\n              reason\n              turn {\n                id\n                status\n                conversation {\n                  id\n                }\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n':
    types.ScheduleRunsDocument,
  '\n  mutation CreateSchedule($input: CreateScheduleInput!) {\n    createSchedule(input: $input) {\n      id\n    }\n  }\n':
    types.CreateScheduleDocument,
  '\n  mutation UpdateSchedule($input: UpdateScheduleInput!) {\n    updateSchedule(input: $input) {\n      id\n    }\n  }\n':
    types.UpdateScheduleDocument,
  '\n  mutation SetScheduleActive($id: ID!, $active: Boolean!) {\n    setScheduleActive(id: $id, active: $active) {\n      id\n    }\n  }\n':
    types.SetScheduleActiveDocument,
  '\n  mutation RunSchedule($id: ID!) {\n    runSchedule(id: $id) {\n      ... on TurnAccepted {\n        conversation {\n          id\n        }\n      }\n      ... on Refusal {\n        message\n      }\n    }\n  }\n':
    types.RunScheduleDocument,
  '\n  mutation DeleteSchedule($id: ID!) {\n    deleteSchedule(id: $id)\n  }\n': types.DeleteScheduleDocument,
  '\n  fragment ListedSkill on Skill {\n    id\n    key\n    name(language: $language)\n    description(language: $language)\n    kind\n    category\n    own\n    active\n    available\n    unavailableReason(language: $language)\n    requiresApproval\n    exposed\n    changes\n    leastRole\n    assistants\n    warnings(language: $language)\n    inputSchema\n    lastWeek {\n      calls\n      failures\n    }\n  }\n':
    types.ListedSkillFragmentDoc,
  '\n  query Skills($language: String!) {\n    skills {\n      ...ListedSkill\n    }\n    assistants {\n      id\n      key\n      name\n    }\n  }\n':
    types.SkillsDocument,
  '\n  mutation SetSkillActive($key: String!, $active: Boolean!) {\n    setSkillActive(key: $key, active: $active) {\n      id\n      active\n    }\n  }\n':
    types.SetSkillActiveDocument,
  '\n  mutation SetSkillApproval($key: String!, $required: Boolean!) {\n    setSkillApproval(key: $key, required: $required) {\n      id\n      requiresApproval\n    }\n  }\n':
    types.SetSkillApprovalDocument,
  '\n  mutation SetSkillExposed($key: String!, $exposed: Boolean!) {\n    setSkillExposed(key: $key, exposed: $exposed) {\n      id\n      exposed\n    }\n  }\n':
    types.SetSkillExposedDocument,
  '\n  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {\n    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {\n      id\n      leastRole\n      assistants\n    }\n  }\n':
    types.SetSkillAccessDocument,
  '\n  mutation DeleteHttpSkill($key: String!) {\n    deleteHttpSkill(key: $key)\n  }\n':
    types.DeleteHttpSkillDocument,
  '\n  mutation DeletePack($key: String!) {\n    deletePack(key: $key)\n  }\n': types.DeletePackDocument,
  '\n  mutation TryHttpSkill($key: String!, $arguments: JSON!) {\n    tryHttpSkill(key: $key, arguments: $arguments) {\n      durationMs\n      error\n      result\n      request {\n        method\n        url\n      }\n      response {\n        status\n        mediaType\n        bytes\n        excerpt\n      }\n    }\n  }\n':
    types.TryHttpSkillDocument,
  '\n  mutation PreviewOpenApi($input: OpenApiSourceInput!) {\n    previewOpenApiImport(input: $input) {\n      title\n      serverUrl\n      omitted\n      credentials {\n        name\n        in\n      }\n      operations {\n        operationId\n        key\n        method\n        path\n        summary\n        isImportable\n        problems\n      }\n    }\n  }\n':
    types.PreviewOpenApiDocument,
  '\n  mutation ImportOpenApi($input: ImportOpenApiInput!) {\n    importOpenApiOperations(input: $input) {\n      skills {\n        id\n        name\n      }\n      refused {\n        operationId\n        reason\n      }\n    }\n  }\n':
    types.ImportOpenApiDocument,
  '\n  query McpServers {\n    mcpServersConnection(first: 100) {\n      edges {\n        node {\n          id\n          key\n          url\n          checkedAt\n          failure\n          notes\n          authorization\n          grantedAt\n        }\n      }\n    }\n    installedMcpServers {\n      key\n      state\n      failure\n      notes\n      tools\n    }\n  }\n':
    types.McpServersDocument,
  '\n  mutation RegisterMcpServer($input: RegisterMcpServerInput!) {\n    registerMcpServer(input: $input) {\n      id\n      failure\n    }\n  }\n':
    types.RegisterMcpServerDocument,
  '\n  mutation RefreshMcpServer($key: String!) {\n    refreshMcpServer(key: $key) {\n      id\n      checkedAt\n      failure\n      notes\n    }\n  }\n':
    types.RefreshMcpServerDocument,
  '\n  mutation DeleteMcpServer($key: String!) {\n    deleteMcpServer(key: $key)\n  }\n':
    types.DeleteMcpServerDocument,
  '\n  query RefusedPacks {\n    refusedPacks {\n      path\n      reason\n    }\n  }\n':
    types.RefusedPacksDocument,
  '\n  mutation CreateSkillUpload($input: CreateSkillUploadInput!) {\n    createSkillUpload(input: $input) {\n      url\n      method\n      headers\n    }\n  }\n':
    types.CreateSkillUploadDocument,
  '\n  mutation AuthorizeMcpServer($input: AuthorizeMcpServerInput!) {\n    authorizeMcpServer(input: $input) {\n      url\n      server {\n        id\n        authorization\n        grantedAt\n        failure\n      }\n    }\n  }\n':
    types.AuthorizeMcpServerDocument,
  '\n  mutation DeauthorizeMcpServer($key: String!) {\n    deauthorizeMcpServer(key: $key) {\n      id\n      authorization\n      grantedAt\n    }\n  }\n':
    types.DeauthorizeMcpServerDocument,
  '\n  query TurnFilters {\n    assistants {\n      id\n      key\n      name\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n        }\n      }\n    }\n  }\n':
    types.TurnFiltersDocument,
  '\n  query Turns($filter: TurnFilter, $after: String) {\n    turns(first: 20, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n          }\n          usage {\n            costUsd\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n':
    types.TurnsDocument,
  '\n  query TurnDetails($filter: TurnFilter!) {\n    turns(first: 20, filter: $filter) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          startedAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n            message\n            retryable\n          }\n          usage {\n            inputTokens\n            cachedInputTokens\n            outputTokens\n            modelCalls\n            skillCalls\n            costUsd\n          }\n          modelCalls {\n            id\n            at\n            durationMs\n            purpose\n            model\n            outcome\n            inputTokens\n            outputTokens\n            costUsd\n          }\n          skillCalls {\n            id\n            skill\n            status\n            startedAt\n            finishedAt\n          }\n        }\n      }\n    }\n  }\n':
    types.TurnDetailsDocument,
  '\n  mutation ShowTurn($id: ID!, $reason: String!) {\n    showTurn(id: $id, reason: $reason) {\n      question\n      answer\n      skillCalls {\n        id\n        skill\n        arguments\n        resultPreview\n      }\n      modelCalls {\n        id\n        purpose\n        model\n        messages\n      }\n    }\n  }\n':
    types.ShowTurnDocument,
  '\n  query UsageOf($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {\n    usage(from: $from, to: $to, groupBy: $groupBy) {\n      day\n      assistantKey\n      model\n      member {\n        id\n        name\n      }\n      inputTokens\n      outputTokens\n      cachedInputTokens\n      modelCalls\n      estimatedCalls\n      unpricedCalls\n      costUsd\n    }\n  }\n':
    types.UsageOfDocument,
  '\n  query Quotas {\n    quotas {\n      subject\n      period\n      provider\n      maxTokens\n      maxCostUsd\n      member {\n        id\n        name\n      }\n    }\n    providers {\n      id\n      key\n    }\n  }\n':
    types.QuotasDocument,
  '\n  mutation SetQuota($input: SetQuotaInput!) {\n    setQuota(input: $input) {\n      subject\n    }\n  }\n':
    types.SetQuotaDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Viewer {\n    viewer {\n      id\n      name\n      email\n      role\n      company {\n        id\n        name\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Viewer {\n    viewer {\n      id\n      name\n      email\n      role\n      company {\n        id\n        name\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query AssistantsScreen {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n      model\n      archived\n      showsReasoning\n      budget {\n        maxSteps\n        maxSeconds\n        maxOutputTokens\n      }\n      prompt {\n        version\n        template\n      }\n      promptHistory {\n        version\n        template\n        publishedAt\n        publishedBy\n        note\n      }\n    }\n  }\n',
): (typeof documents)['\n  query AssistantsScreen {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n      model\n      archived\n      showsReasoning\n      budget {\n        maxSteps\n        maxSeconds\n        maxOutputTokens\n      }\n      prompt {\n        version\n        template\n      }\n      promptHistory {\n        version\n        template\n        publishedAt\n        publishedBy\n        note\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CreateAssistant($input: CreateAssistantInput!) {\n    createAssistant(input: $input) {\n      id\n      key\n    }\n  }\n',
): (typeof documents)['\n  mutation CreateAssistant($input: CreateAssistantInput!) {\n    createAssistant(input: $input) {\n      id\n      key\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CopyAssistant($key: String!, $newKey: String!, $name: String!) {\n    copyAssistant(key: $key, newKey: $newKey, name: $name) {\n      id\n      key\n    }\n  }\n',
): (typeof documents)['\n  mutation CopyAssistant($key: String!, $newKey: String!, $name: String!) {\n    copyAssistant(key: $key, newKey: $newKey, name: $name) {\n      id\n      key\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation ArchiveAssistant($key: String!, $archived: Boolean!) {\n    archiveAssistant(key: $key, archived: $archived) {\n      id\n      archived\n    }\n  }\n',
): (typeof documents)['\n  mutation ArchiveAssistant($key: String!, $archived: Boolean!) {\n    archiveAssistant(key: $key, archived: $archived) {\n      id\n      archived\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation UpdateAssistant($key: String!, $input: UpdateAssistantInput!) {\n    updateAssistant(key: $key, input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation UpdateAssistant($key: String!, $input: UpdateAssistantInput!) {\n    updateAssistant(key: $key, input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation PublishPrompt($assistantKey: String!, $template: String!, $note: String) {\n    publishPrompt(assistantKey: $assistantKey, template: $template, note: $note) {\n      version\n    }\n  }\n',
): (typeof documents)['\n  mutation PublishPrompt($assistantKey: String!, $template: String!, $note: String) {\n    publishPrompt(assistantKey: $assistantKey, template: $template, note: $note) {\n      version\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation RollbackPrompt($assistantKey: String!, $version: Int!) {\n    rollbackPrompt(assistantKey: $assistantKey, version: $version) {\n      version\n    }\n  }\n',
): (typeof documents)['\n  mutation RollbackPrompt($assistantKey: String!, $version: Int!) {\n    rollbackPrompt(assistantKey: $assistantKey, version: $version) {\n      version\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query ConversationList($first: Int!, $filter: ConversationFilter, $after: String) {\n    conversations(first: $first, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          title\n          updatedAt\n          pinned\n          archived\n          assistant {\n            id\n            name\n          }\n          activeTurn {\n            id\n            status\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query ConversationList($first: Int!, $filter: ConversationFilter, $after: String) {\n    conversations(first: $first, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          title\n          updatedAt\n          pinned\n          archived\n          assistant {\n            id\n            name\n          }\n          activeTurn {\n            id\n            status\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Conversation($id: ID!, $last: Int!, $before: String, $leaf: ID, $language: String!) {\n    conversation(id: $id) {\n      id\n      title\n      assistant {\n        id\n        key\n        name\n        language\n      }\n      messages(last: $last, before: $before, leaf: $leaf) {\n        edges {\n          node {\n            id\n            role\n            status\n            text\n            createdAt\n            author\n            parts {\n              __typename\n              ... on ReasoningPart {\n                text\n              }\n              ... on ImagePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n              ... on FilePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n            }\n            versions {\n              id\n            }\n            citations {\n              marker\n              documentId\n              documentName\n              page\n              quote\n            }\n            trustedAddresses\n            turn {\n              id\n              status\n              finishReason\n              createdAt\n              finishedAt\n              error {\n                code\n                message\n                retryable\n              }\n              skillCalls {\n                id\n                skill\n                arguments\n                status\n                resultPreview\n                startedAt\n                finishedAt\n              }\n              files {\n                id\n                name\n                bytes\n                url\n              }\n            }\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n\n  fragment ShownAttachment on Attachment {\n    id\n    kind\n    name\n    url\n    error(language: $language)\n  }\n',
): (typeof documents)['\n  query Conversation($id: ID!, $last: Int!, $before: String, $leaf: ID, $language: String!) {\n    conversation(id: $id) {\n      id\n      title\n      assistant {\n        id\n        key\n        name\n        language\n      }\n      messages(last: $last, before: $before, leaf: $leaf) {\n        edges {\n          node {\n            id\n            role\n            status\n            text\n            createdAt\n            author\n            parts {\n              __typename\n              ... on ReasoningPart {\n                text\n              }\n              ... on ImagePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n              ... on FilePart {\n                attachment {\n                  ...ShownAttachment\n                }\n              }\n            }\n            versions {\n              id\n            }\n            citations {\n              marker\n              documentId\n              documentName\n              page\n              quote\n            }\n            trustedAddresses\n            turn {\n              id\n              status\n              finishReason\n              createdAt\n              finishedAt\n              error {\n                code\n                message\n                retryable\n              }\n              skillCalls {\n                id\n                skill\n                arguments\n                status\n                resultPreview\n                startedAt\n                finishedAt\n              }\n              files {\n                id\n                name\n                bytes\n                url\n              }\n            }\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n\n  fragment ShownAttachment on Attachment {\n    id\n    kind\n    name\n    url\n    error(language: $language)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Assistants {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n    }\n  }\n',
): (typeof documents)['\n  query Assistants {\n    assistants {\n      id\n      key\n      name\n      language\n      strategy\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query SkillNames($language: String!) {\n    skills {\n      id\n      key\n      name(language: $language)\n    }\n  }\n',
): (typeof documents)['\n  query SkillNames($language: String!) {\n    skills {\n      id\n      key\n      name(language: $language)\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation UpdateConversation($input: UpdateConversationInput!) {\n    updateConversation(input: $input) {\n      id\n      title\n      pinned\n      archived\n    }\n  }\n',
): (typeof documents)['\n  mutation UpdateConversation($input: UpdateConversationInput!) {\n    updateConversation(input: $input) {\n      id\n      title\n      pinned\n      archived\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  subscription ConversationsChanged {\n    conversationsChanged {\n      id\n      updatedAt\n    }\n  }\n',
): (typeof documents)['\n  subscription ConversationsChanged {\n    conversationsChanged {\n      id\n      updatedAt\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  subscription ConversationDeleted {\n    conversationDeleted\n  }\n',
): (typeof documents)['\n  subscription ConversationDeleted {\n    conversationDeleted\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  subscription ConversationChanged($id: ID!) {\n    conversationChanged(id: $id) {\n      id\n      updatedAt\n      head {\n        id\n      }\n      activeTurn {\n        id\n        status\n      }\n    }\n  }\n',
): (typeof documents)['\n  subscription ConversationChanged($id: ID!) {\n    conversationChanged(id: $id) {\n      id\n      updatedAt\n      head {\n        id\n      }\n      activeTurn {\n        id\n        status\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteConversation($id: ID!) {\n    deleteConversation(id: $id)\n  }\n',
): (typeof documents)['\n  mutation DeleteConversation($id: ID!) {\n    deleteConversation(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SelectMessage($id: ID!) {\n    selectMessage(id: $id) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation SelectMessage($id: ID!) {\n    selectMessage(id: $id) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query DocumentLink($id: ID!) {\n    document(id: $id) {\n      id\n      mediaType\n      url\n    }\n  }\n',
): (typeof documents)['\n  query DocumentLink($id: ID!) {\n    document(id: $id) {\n      id\n      mediaType\n      url\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query AttachmentError($id: ID!, $language: String!) {\n    attachment(id: $id) {\n      id\n      name\n      error(language: $language)\n    }\n  }\n',
): (typeof documents)['\n  query AttachmentError($id: ID!, $language: String!) {\n    attachment(id: $id) {\n      id\n      name\n      error(language: $language)\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query CompanyScreen {\n    company {\n      id\n      name\n      sector\n      country\n      city\n      headcount\n      language\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          email\n          role\n          deactivatedAt\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          memberId\n          name\n          role\n          scopes\n          createdAt\n          expiresAt\n          lastUsedAt\n          pausedAt\n          revokedAt\n          createdBy {\n            id\n            name\n          }\n        }\n      }\n    }\n    webhooks {\n      id\n      url\n      kinds\n      disabledAt\n      lastFailure\n      lastSuccessAt\n    }\n    providers {\n      id\n      key\n      baseUrl\n      api\n      hasApiKey\n      models {\n        name\n      }\n    }\n  }\n',
): (typeof documents)['\n  query CompanyScreen {\n    company {\n      id\n      name\n      sector\n      country\n      city\n      headcount\n      language\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          email\n          role\n          deactivatedAt\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          memberId\n          name\n          role\n          scopes\n          createdAt\n          expiresAt\n          lastUsedAt\n          pausedAt\n          revokedAt\n          createdBy {\n            id\n            name\n          }\n        }\n      }\n    }\n    webhooks {\n      id\n      url\n      kinds\n      disabledAt\n      lastFailure\n      lastSuccessAt\n    }\n    providers {\n      id\n      key\n      baseUrl\n      api\n      hasApiKey\n      models {\n        name\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Audit($filter: AuditFilter, $after: String) {\n    auditEntries(first: 30, after: $after, filter: $filter) {\n      edges {\n        node {\n          id\n          action\n          subject\n          memberName\n          createdAt\n          details\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Audit($filter: AuditFilter, $after: String) {\n    auditEntries(first: 30, after: $after, filter: $filter) {\n      edges {\n        node {\n          id\n          action\n          subject\n          memberName\n          createdAt\n          details\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation UpdateCompany($input: UpdateCompanyInput!) {\n    updateCompany(input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation UpdateCompany($input: UpdateCompanyInput!) {\n    updateCompany(input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeactivateMember($id: ID!) {\n    deactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n',
): (typeof documents)['\n  mutation DeactivateMember($id: ID!) {\n    deactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation ReactivateMember($id: ID!) {\n    reactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n',
): (typeof documents)['\n  mutation ReactivateMember($id: ID!) {\n    reactivateMember(id: $id) {\n      id\n      deactivatedAt\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      secret\n      apiKey {\n        id\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation CreateApiKey($input: CreateApiKeyInput!) {\n    createApiKey(input: $input) {\n      secret\n      apiKey {\n        id\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteApiKey($id: ID!) {\n    deleteApiKey(id: $id)\n  }\n',
): (typeof documents)['\n  mutation DeleteApiKey($id: ID!) {\n    deleteApiKey(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n',
): (typeof documents)['\n  mutation DeleteWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetProvider($input: SetProviderInput!) {\n    setProvider(input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation SetProvider($input: SetProviderInput!) {\n    setProvider(input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation TestProvider($key: String!) {\n    testProvider(key: $key) {\n      ok\n      message\n      model\n      durationMs\n    }\n  }\n',
): (typeof documents)['\n  mutation TestProvider($key: String!) {\n    testProvider(key: $key) {\n      ok\n      message\n      model\n      durationMs\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteProvider($key: String!) {\n    deleteProvider(key: $key)\n  }\n',
): (typeof documents)['\n  mutation DeleteProvider($key: String!) {\n    deleteProvider(key: $key)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  fragment ListedDocument on Document {\n    id\n    name\n    bytes\n    pages\n    status\n    progress\n    error(language: $language)\n    warnings(language: $language)\n    createdAt\n  }\n',
): (typeof documents)['\n  fragment ListedDocument on Document {\n    id\n    name\n    bytes\n    pages\n    status\n    progress\n    error(language: $language)\n    warnings(language: $language)\n    createdAt\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Documents($after: String, $language: String!) {\n    documents(first: 30, after: $after) {\n      edges {\n        node {\n          ...ListedDocument\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Documents($after: String, $language: String!) {\n    documents(first: 30, after: $after) {\n      edges {\n        node {\n          ...ListedDocument\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query DocumentStorage {\n    documentStorage {\n      documents\n      bytes\n      maxDocuments\n      maxBytes\n    }\n  }\n',
): (typeof documents)['\n  query DocumentStorage {\n    documentStorage {\n      documents\n      bytes\n      maxDocuments\n      maxBytes\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  subscription DocumentProgress($id: ID!, $language: String!) {\n    documentProgress(documentId: $id) {\n      ...ListedDocument\n    }\n  }\n',
): (typeof documents)['\n  subscription DocumentProgress($id: ID!, $language: String!) {\n    documentProgress(documentId: $id) {\n      ...ListedDocument\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteDocument($id: ID!) {\n    deleteDocument(id: $id)\n  }\n',
): (typeof documents)['\n  mutation DeleteDocument($id: ID!) {\n    deleteDocument(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query SearchDocuments($query: String!) {\n    searchDocuments(query: $query, first: 10) {\n      id\n      page\n      text\n      missing\n      document {\n        id\n        name\n      }\n    }\n  }\n',
): (typeof documents)['\n  query SearchDocuments($query: String!) {\n    searchDocuments(query: $query, first: 10) {\n      id\n      page\n      text\n      missing\n      document {\n        id\n        name\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: "\n  query Inbox {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n          turnId\n          kind\n          status\n          expiresAt\n          askedByName\n          askedIn\n          ... on Approval {\n            skill\n            arguments\n            reason\n          }\n          ... on Question {\n            prompt\n            responseSchema\n          }\n          ... on ClientSkillCall {\n            callId\n            skill\n            arguments\n          }\n          ... on McpInputRequest {\n            server\n            message\n            # Null is no value of a question's.\n            schema: responseSchema\n            url\n          }\n        }\n      }\n    }\n    notifications(first: 50) {\n      edges {\n        node {\n          id\n          kind\n          title\n          body\n          readAt\n          createdAt\n          turn {\n            id\n            conversation {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n",
): (typeof documents)["\n  query Inbox {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n          turnId\n          kind\n          status\n          expiresAt\n          askedByName\n          askedIn\n          ... on Approval {\n            skill\n            arguments\n            reason\n          }\n          ... on Question {\n            prompt\n            responseSchema\n          }\n          ... on ClientSkillCall {\n            callId\n            skill\n            arguments\n          }\n          ... on McpInputRequest {\n            server\n            message\n            # Null is no value of a question's.\n            schema: responseSchema\n            url\n          }\n        }\n      }\n    }\n    notifications(first: 50) {\n      edges {\n        node {\n          id\n          kind\n          title\n          body\n          readAt\n          createdAt\n          turn {\n            id\n            conversation {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation MarkRead($id: ID!) {\n    markNotificationRead(id: $id) {\n      id\n      readAt\n    }\n  }\n',
): (typeof documents)['\n  mutation MarkRead($id: ID!) {\n    markNotificationRead(id: $id) {\n      id\n      readAt\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Waiting {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n        }\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Waiting {\n    pendingInputs(first: 100) {\n      edges {\n        node {\n          id\n        }\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  subscription NotificationAdded {\n    notificationAdded {\n      id\n      title\n    }\n  }\n',
): (typeof documents)['\n  subscription NotificationAdded {\n    notificationAdded {\n      id\n      title\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  fragment NotedMemory on Memory {\n    id\n    kind\n    subject\n    content\n    shared\n    source\n    validFrom\n  }\n',
): (typeof documents)['\n  fragment NotedMemory on Memory {\n    id\n    kind\n    subject\n    content\n    shared\n    source\n    validFrom\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Memories($kind: MemoryKind, $after: String) {\n    memories(kind: $kind, active: true, first: 30, after: $after) {\n      edges {\n        node {\n          ...NotedMemory\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Memories($kind: MemoryKind, $after: String) {\n    memories(kind: $kind, active: true, first: 30, after: $after) {\n      edges {\n        node {\n          ...NotedMemory\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query MemoryHistory($id: ID!) {\n    node(id: $id) {\n      ... on Memory {\n        id\n        history {\n          ...NotedMemory\n        }\n      }\n    }\n  }\n',
): (typeof documents)['\n  query MemoryHistory($id: ID!) {\n    node(id: $id) {\n      ... on Memory {\n        id\n        history {\n          ...NotedMemory\n        }\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query WhatWouldBeTold($message: String!) {\n    memoryContext(message: $message) {\n      tokens\n      budget\n      omitted\n      items {\n        section\n        text\n        tokens\n      }\n    }\n  }\n',
): (typeof documents)['\n  query WhatWouldBeTold($message: String!) {\n    memoryContext(message: $message) {\n      tokens\n      budget\n      omitted\n      items {\n        section\n        text\n        tokens\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation Remember($input: RememberInput!) {\n    remember(input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation Remember($input: RememberInput!) {\n    remember(input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation Correct($id: ID!, $content: String!) {\n    updateMemory(id: $id, content: $content) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation Correct($id: ID!, $content: String!) {\n    updateMemory(id: $id, content: $content) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation Forget($id: ID!) {\n    forget(id: $id)\n  }\n',
): (typeof documents)['\n  mutation Forget($id: ID!) {\n    forget(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Schedules($after: String, $ofCompany: Boolean) {\n    schedules(first: 20, after: $after, ofCompany: $ofCompany) {\n      edges {\n        node {\n          id\n          status\n          pausedReason\n          cron\n          at\n          timeZone\n          nextAt\n          message\n          memberId\n          missedRuns\n          assistant {\n            id\n            name\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Schedules($after: String, $ofCompany: Boolean) {\n    schedules(first: 20, after: $after, ofCompany: $ofCompany) {\n      edges {\n        node {\n          id\n          status\n          pausedReason\n          cron\n          at\n          timeZone\n          nextAt\n          message\n          memberId\n          missedRuns\n          assistant {\n            id\n            name\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query ScheduleRuns($id: ID!) {\n    node(id: $id) {\n      id\n      ... on Schedule {\n        runs(first: 50) {\n          edges {\n            cursor\n            node {\n              dueAt\n              outcome\n              reason\n              turn {\n                id\n                status\n                conversation {\n                  id\n                }\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n',
): (typeof documents)['\n  query ScheduleRuns($id: ID!) {\n    node(id: $id) {\n      id\n      ... on Schedule {\n        runs(first: 50) {\n          edges {\n            cursor\n            node {\n              dueAt\n              outcome\n              reason\n              turn {\n                id\n                status\n                conversation {\n                  id\n                }\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CreateSchedule($input: CreateScheduleInput!) {\n    createSchedule(input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation CreateSchedule($input: CreateScheduleInput!) {\n    createSchedule(input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation UpdateSchedule($input: UpdateScheduleInput!) {\n    updateSchedule(input: $input) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation UpdateSchedule($input: UpdateScheduleInput!) {\n    updateSchedule(input: $input) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetScheduleActive($id: ID!, $active: Boolean!) {\n    setScheduleActive(id: $id, active: $active) {\n      id\n    }\n  }\n',
): (typeof documents)['\n  mutation SetScheduleActive($id: ID!, $active: Boolean!) {\n    setScheduleActive(id: $id, active: $active) {\n      id\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation RunSchedule($id: ID!) {\n    runSchedule(id: $id) {\n      ... on TurnAccepted {\n        conversation {\n          id\n        }\n      }\n      ... on Refusal {\n        message\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation RunSchedule($id: ID!) {\n    runSchedule(id: $id) {\n      ... on TurnAccepted {\n        conversation {\n          id\n        }\n      }\n      ... on Refusal {\n        message\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteSchedule($id: ID!) {\n    deleteSchedule(id: $id)\n  }\n',
): (typeof documents)['\n  mutation DeleteSchedule($id: ID!) {\n    deleteSchedule(id: $id)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  fragment ListedSkill on Skill {\n    id\n    key\n    name(language: $language)\n    description(language: $language)\n    kind\n    category\n    own\n    active\n    available\n    unavailableReason(language: $language)\n    requiresApproval\n    exposed\n    changes\n    leastRole\n    assistants\n    warnings(language: $language)\n    inputSchema\n    lastWeek {\n      calls\n      failures\n    }\n  }\n',
): (typeof documents)['\n  fragment ListedSkill on Skill {\n    id\n    key\n    name(language: $language)\n    description(language: $language)\n    kind\n    category\n    own\n    active\n    available\n    unavailableReason(language: $language)\n    requiresApproval\n    exposed\n    changes\n    leastRole\n    assistants\n    warnings(language: $language)\n    inputSchema\n    lastWeek {\n      calls\n      failures\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Skills($language: String!) {\n    skills {\n      ...ListedSkill\n    }\n    assistants {\n      id\n      key\n      name\n    }\n  }\n',
): (typeof documents)['\n  query Skills($language: String!) {\n    skills {\n      ...ListedSkill\n    }\n    assistants {\n      id\n      key\n      name\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetSkillActive($key: String!, $active: Boolean!) {\n    setSkillActive(key: $key, active: $active) {\n      id\n      active\n    }\n  }\n',
): (typeof documents)['\n  mutation SetSkillActive($key: String!, $active: Boolean!) {\n    setSkillActive(key: $key, active: $active) {\n      id\n      active\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetSkillApproval($key: String!, $required: Boolean!) {\n    setSkillApproval(key: $key, required: $required) {\n      id\n      requiresApproval\n    }\n  }\n',
): (typeof documents)['\n  mutation SetSkillApproval($key: String!, $required: Boolean!) {\n    setSkillApproval(key: $key, required: $required) {\n      id\n      requiresApproval\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetSkillExposed($key: String!, $exposed: Boolean!) {\n    setSkillExposed(key: $key, exposed: $exposed) {\n      id\n      exposed\n    }\n  }\n',
): (typeof documents)['\n  mutation SetSkillExposed($key: String!, $exposed: Boolean!) {\n    setSkillExposed(key: $key, exposed: $exposed) {\n      id\n      exposed\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {\n    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {\n      id\n      leastRole\n      assistants\n    }\n  }\n',
): (typeof documents)['\n  mutation SetSkillAccess($key: String!, $leastRole: Role!, $assistants: [String!]) {\n    setSkillAccess(key: $key, leastRole: $leastRole, assistants: $assistants) {\n      id\n      leastRole\n      assistants\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteHttpSkill($key: String!) {\n    deleteHttpSkill(key: $key)\n  }\n',
): (typeof documents)['\n  mutation DeleteHttpSkill($key: String!) {\n    deleteHttpSkill(key: $key)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeletePack($key: String!) {\n    deletePack(key: $key)\n  }\n',
): (typeof documents)['\n  mutation DeletePack($key: String!) {\n    deletePack(key: $key)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation TryHttpSkill($key: String!, $arguments: JSON!) {\n    tryHttpSkill(key: $key, arguments: $arguments) {\n      durationMs\n      error\n      result\n      request {\n        method\n        url\n      }\n      response {\n        status\n        mediaType\n        bytes\n        excerpt\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation TryHttpSkill($key: String!, $arguments: JSON!) {\n    tryHttpSkill(key: $key, arguments: $arguments) {\n      durationMs\n      error\n      result\n      request {\n        method\n        url\n      }\n      response {\n        status\n        mediaType\n        bytes\n        excerpt\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation PreviewOpenApi($input: OpenApiSourceInput!) {\n    previewOpenApiImport(input: $input) {\n      title\n      serverUrl\n      omitted\n      credentials {\n        name\n        in\n      }\n      operations {\n        operationId\n        key\n        method\n        path\n        summary\n        isImportable\n        problems\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation PreviewOpenApi($input: OpenApiSourceInput!) {\n    previewOpenApiImport(input: $input) {\n      title\n      serverUrl\n      omitted\n      credentials {\n        name\n        in\n      }\n      operations {\n        operationId\n        key\n        method\n        path\n        summary\n        isImportable\n        problems\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation ImportOpenApi($input: ImportOpenApiInput!) {\n    importOpenApiOperations(input: $input) {\n      skills {\n        id\n        name\n      }\n      refused {\n        operationId\n        reason\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation ImportOpenApi($input: ImportOpenApiInput!) {\n    importOpenApiOperations(input: $input) {\n      skills {\n        id\n        name\n      }\n      refused {\n        operationId\n        reason\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query McpServers {\n    mcpServersConnection(first: 100) {\n      edges {\n        node {\n          id\n          key\n          url\n          checkedAt\n          failure\n          notes\n          authorization\n          grantedAt\n        }\n      }\n    }\n    installedMcpServers {\n      key\n      state\n      failure\n      notes\n      tools\n    }\n  }\n',
): (typeof documents)['\n  query McpServers {\n    mcpServersConnection(first: 100) {\n      edges {\n        node {\n          id\n          key\n          url\n          checkedAt\n          failure\n          notes\n          authorization\n          grantedAt\n        }\n      }\n    }\n    installedMcpServers {\n      key\n      state\n      failure\n      notes\n      tools\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation RegisterMcpServer($input: RegisterMcpServerInput!) {\n    registerMcpServer(input: $input) {\n      id\n      failure\n    }\n  }\n',
): (typeof documents)['\n  mutation RegisterMcpServer($input: RegisterMcpServerInput!) {\n    registerMcpServer(input: $input) {\n      id\n      failure\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation RefreshMcpServer($key: String!) {\n    refreshMcpServer(key: $key) {\n      id\n      checkedAt\n      failure\n      notes\n    }\n  }\n',
): (typeof documents)['\n  mutation RefreshMcpServer($key: String!) {\n    refreshMcpServer(key: $key) {\n      id\n      checkedAt\n      failure\n      notes\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeleteMcpServer($key: String!) {\n    deleteMcpServer(key: $key)\n  }\n',
): (typeof documents)['\n  mutation DeleteMcpServer($key: String!) {\n    deleteMcpServer(key: $key)\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query RefusedPacks {\n    refusedPacks {\n      path\n      reason\n    }\n  }\n',
): (typeof documents)['\n  query RefusedPacks {\n    refusedPacks {\n      path\n      reason\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation CreateSkillUpload($input: CreateSkillUploadInput!) {\n    createSkillUpload(input: $input) {\n      url\n      method\n      headers\n    }\n  }\n',
): (typeof documents)['\n  mutation CreateSkillUpload($input: CreateSkillUploadInput!) {\n    createSkillUpload(input: $input) {\n      url\n      method\n      headers\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation AuthorizeMcpServer($input: AuthorizeMcpServerInput!) {\n    authorizeMcpServer(input: $input) {\n      url\n      server {\n        id\n        authorization\n        grantedAt\n        failure\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation AuthorizeMcpServer($input: AuthorizeMcpServerInput!) {\n    authorizeMcpServer(input: $input) {\n      url\n      server {\n        id\n        authorization\n        grantedAt\n        failure\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation DeauthorizeMcpServer($key: String!) {\n    deauthorizeMcpServer(key: $key) {\n      id\n      authorization\n      grantedAt\n    }\n  }\n',
): (typeof documents)['\n  mutation DeauthorizeMcpServer($key: String!) {\n    deauthorizeMcpServer(key: $key) {\n      id\n      authorization\n      grantedAt\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query TurnFilters {\n    assistants {\n      id\n      key\n      name\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n        }\n      }\n    }\n  }\n',
): (typeof documents)['\n  query TurnFilters {\n    assistants {\n      id\n      key\n      name\n    }\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n        }\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Turns($filter: TurnFilter, $after: String) {\n    turns(first: 20, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n          }\n          usage {\n            costUsd\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n',
): (typeof documents)['\n  query Turns($filter: TurnFilter, $after: String) {\n    turns(first: 20, filter: $filter, after: $after) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n          }\n          usage {\n            costUsd\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query TurnDetails($filter: TurnFilter!) {\n    turns(first: 20, filter: $filter) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          startedAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n            message\n            retryable\n          }\n          usage {\n            inputTokens\n            cachedInputTokens\n            outputTokens\n            modelCalls\n            skillCalls\n            costUsd\n          }\n          modelCalls {\n            id\n            at\n            durationMs\n            purpose\n            model\n            outcome\n            inputTokens\n            outputTokens\n            costUsd\n          }\n          skillCalls {\n            id\n            skill\n            status\n            startedAt\n            finishedAt\n          }\n        }\n      }\n    }\n  }\n',
): (typeof documents)['\n  query TurnDetails($filter: TurnFilter!) {\n    turns(first: 20, filter: $filter) {\n      edges {\n        node {\n          id\n          status\n          finishReason\n          createdAt\n          startedAt\n          finishedAt\n          memberName\n          conversation {\n            id\n            assistant {\n              id\n              name\n            }\n          }\n          error {\n            codeValue\n            message\n            retryable\n          }\n          usage {\n            inputTokens\n            cachedInputTokens\n            outputTokens\n            modelCalls\n            skillCalls\n            costUsd\n          }\n          modelCalls {\n            id\n            at\n            durationMs\n            purpose\n            model\n            outcome\n            inputTokens\n            outputTokens\n            costUsd\n          }\n          skillCalls {\n            id\n            skill\n            status\n            startedAt\n            finishedAt\n          }\n        }\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation ShowTurn($id: ID!, $reason: String!) {\n    showTurn(id: $id, reason: $reason) {\n      question\n      answer\n      skillCalls {\n        id\n        skill\n        arguments\n        resultPreview\n      }\n      modelCalls {\n        id\n        purpose\n        model\n        messages\n      }\n    }\n  }\n',
): (typeof documents)['\n  mutation ShowTurn($id: ID!, $reason: String!) {\n    showTurn(id: $id, reason: $reason) {\n      question\n      answer\n      skillCalls {\n        id\n        skill\n        arguments\n        resultPreview\n      }\n      modelCalls {\n        id\n        purpose\n        model\n        messages\n      }\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query UsageOf($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {\n    usage(from: $from, to: $to, groupBy: $groupBy) {\n      day\n      assistantKey\n      model\n      member {\n        id\n        name\n      }\n      inputTokens\n      outputTokens\n      cachedInputTokens\n      modelCalls\n      estimatedCalls\n      unpricedCalls\n      costUsd\n    }\n  }\n',
): (typeof documents)['\n  query UsageOf($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {\n    usage(from: $from, to: $to, groupBy: $groupBy) {\n      day\n      assistantKey\n      model\n      member {\n        id\n        name\n      }\n      inputTokens\n      outputTokens\n      cachedInputTokens\n      modelCalls\n      estimatedCalls\n      unpricedCalls\n      costUsd\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  query Quotas {\n    quotas {\n      subject\n      period\n      provider\n      maxTokens\n      maxCostUsd\n      member {\n        id\n        name\n      }\n    }\n    providers {\n      id\n      key\n    }\n  }\n',
): (typeof documents)['\n  query Quotas {\n    quotas {\n      subject\n      period\n      provider\n      maxTokens\n      maxCostUsd\n      member {\n        id\n        name\n      }\n    }\n    providers {\n      id\n      key\n    }\n  }\n'];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(
  source: '\n  mutation SetQuota($input: SetQuotaInput!) {\n    setQuota(input: $input) {\n      subject\n    }\n  }\n',
): (typeof documents)['\n  mutation SetQuota($input: SetQuotaInput!) {\n    setQuota(input: $input) {\n      subject\n    }\n  }\n'];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> =
  TDocumentNode extends DocumentNode<infer TType, any> ? TType : never;
