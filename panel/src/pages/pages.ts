import {
  IconActivity,
  IconAddressBook,
  IconAt,
  IconBell,
  IconForms,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMail,
  IconMailDown,
  IconRoute,
  IconScale,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconStack2,
  IconTemplate,
  IconUserCancel,
  IconUserCheck,
  IconUsers,
  IconWebhook,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { FunctionComponent } from 'react';
import type { Subject } from '../messages/vocabulary.ts';
import type { OperationId } from '../api/request.ts';
import type { PageName } from '../parts/app/places.ts';

export type Section = 'mail' | 'receiving' | 'sending' | 'developers' | 'administration';

export interface PageEntry {
  /** In the navigation, below the heading of its section; a page without an icon is reached from others. */
  icon?: Icon;
  section?: Section;
  /** What it reads: the page is not there for roles that may not. */
  needs: OperationId;
  /** What its code and its parts say, loaded beside it. */
  says: Subject[];
  load: () => Promise<{ Page: FunctionComponent }>;
}

/** Every page of an instance, in the order of the navigation. */
export const pages: Record<PageName, PageEntry> = {
  overview: {
    icon: IconLayoutDashboard,
    needs: 'panel_get_instance',
    says: ['overview'],
    load: async () => await import('./overview/page.tsx'),
  },
  mails: {
    icon: IconMail,
    section: 'mail',
    needs: 'panel_list_mails',
    says: ['export_menu', 'mail_filters', 'mail_marks', 'mail_status', 'mails', 'sandbox_send'],
    load: async () => await import('./mails/page.tsx'),
  },
  mail: {
    needs: 'panel_get_mail',
    says: ['mail', 'mail_marks', 'mail_status', 'message_view', 'reasons'],
    load: async () => await import('./mail/page.tsx'),
  },
  sandbox: {
    icon: IconInbox,
    section: 'mail',
    needs: 'panel_list_sandbox_messages',
    says: ['mail_status', 'message_view', 'sandbox', 'sandbox_send'],
    load: async () => await import('./sandbox/page.tsx'),
  },
  activity: {
    icon: IconActivity,
    section: 'mail',
    needs: 'panel_list_opens',
    says: ['activity', 'export_menu', 'mail_filters', 'mail_marks'],
    load: async () => await import('./activity/page.tsx'),
  },
  queue: {
    icon: IconStack2,
    section: 'mail',
    needs: 'panel_get_queue',
    says: ['queue', 'reasons'],
    load: async () => await import('./queue/page.tsx'),
  },
  received: {
    icon: IconMailDown,
    section: 'receiving',
    needs: 'panel_list_received_mails',
    says: ['message_view', 'received'],
    load: async () => await import('./received/page.tsx'),
  },
  routes: {
    icon: IconRoute,
    section: 'receiving',
    needs: 'panel_list_inbound_routes',
    says: ['mail_status', 'routes'],
    load: async () => await import('./routes/page.tsx'),
  },
  domains: {
    icon: IconWorld,
    section: 'sending',
    needs: 'panel_list_domains',
    says: ['domains'],
    load: async () => await import('./domains/page.tsx'),
  },
  domain: {
    needs: 'panel_get_domain',
    says: ['domain', 'domains'],
    load: async () => await import('./domain/page.tsx'),
  },
  senders: {
    icon: IconAt,
    section: 'sending',
    needs: 'panel_list_senders',
    says: ['mail_marks', 'senders'],
    load: async () => await import('./senders/page.tsx'),
  },
  templates: {
    icon: IconTemplate,
    section: 'sending',
    needs: 'panel_list_templates',
    says: ['templates'],
    load: async () => await import('./templates/page.tsx'),
  },
  template: {
    needs: 'panel_get_template',
    says: ['template', 'template_test', 'template_versions', 'templates'],
    load: async () => await import('./template/page.tsx'),
  },
  broadcasts: {
    icon: IconSpeakerphone,
    section: 'mail',
    needs: 'panel_list_broadcasts',
    says: ['broadcasts'],
    load: async () => await import('./broadcasts/page.tsx'),
  },
  broadcast: {
    needs: 'panel_get_broadcast',
    says: ['broadcast', 'broadcast_report', 'broadcasts', 'export_menu', 'reasons'],
    load: async () => await import('./broadcast/page.tsx'),
  },
  contacts: {
    icon: IconAddressBook,
    section: 'sending',
    needs: 'panel_list_contacts',
    says: ['contacts', 'export_menu'],
    load: async () => await import('./contacts/page.tsx'),
  },
  contact: {
    needs: 'panel_get_contact',
    says: ['consent_values', 'contact', 'mail_status', 'rights', 'suppressions'],
    load: async () => await import('./contact/page.tsx'),
  },
  suppressions: {
    icon: IconUserCancel,
    section: 'sending',
    needs: 'panel_list_restrictions',
    says: ['export_menu', 'mail_filters', 'suppressions'],
    load: async () => await import('./suppressions/page.tsx'),
  },
  consent: {
    icon: IconUserCheck,
    section: 'sending',
    needs: 'panel_list_consent_terms',
    says: ['consent', 'consent_values', 'export_menu'],
    load: async () => await import('./consent/page.tsx'),
  },
  consent_term: {
    needs: 'panel_get_consent_term',
    says: ['consent', 'consent_term', 'consent_values', 'text_compare'],
    load: async () => await import('./consent-term/page.tsx'),
  },
  consent_evidence: {
    needs: 'panel_get_consent_evidence',
    says: ['consent', 'consent_evidence', 'consent_values'],
    load: async () => await import('./consent-evidence/page.tsx'),
  },
  rights: {
    icon: IconScale,
    section: 'administration',
    needs: 'panel_list_rights_requests',
    says: ['rights'],
    load: async () => await import('./rights/page.tsx'),
  },
  rights_request: {
    needs: 'panel_get_rights_request',
    says: ['rights', 'rights_request'],
    load: async () => await import('./rights-request/page.tsx'),
  },
  forms: {
    icon: IconForms,
    section: 'sending',
    needs: 'panel_list_forms',
    says: ['forms'],
    load: async () => await import('./forms/page.tsx'),
  },
  form: {
    needs: 'panel_get_form',
    says: ['export_menu', 'fields', 'form', 'form_submissions', 'forms'],
    load: async () => await import('./form/page.tsx'),
  },
  fields: {
    icon: IconListDetails,
    section: 'sending',
    needs: 'panel_list_fields',
    says: ['fields'],
    load: async () => await import('./fields/page.tsx'),
  },
  webhooks: {
    icon: IconWebhook,
    section: 'developers',
    needs: 'panel_list_webhooks',
    says: ['webhook_events', 'webhooks'],
    load: async () => await import('./webhooks/page.tsx'),
  },
  webhook: {
    needs: 'panel_get_webhook',
    says: ['webhook', 'webhook_events', 'webhooks'],
    load: async () => await import('./webhook/page.tsx'),
  },
  api_keys: {
    icon: IconKey,
    section: 'developers',
    needs: 'panel_list_api_keys',
    says: ['api_keys'],
    load: async () => await import('./api-keys/page.tsx'),
  },
  smtp_credentials: {
    icon: IconServer,
    section: 'developers',
    needs: 'panel_list_smtp_credentials',
    says: ['smtp_credentials'],
    load: async () => await import('./smtp-credentials/page.tsx'),
  },
  team: {
    icon: IconUsers,
    section: 'administration',
    needs: 'panel_list_members',
    says: ['team'],
    load: async () => await import('./team/page.tsx'),
  },
  alerts: {
    icon: IconBell,
    section: 'administration',
    needs: 'panel_list_alerts',
    says: ['alerts'],
    load: async () => await import('./alerts/page.tsx'),
  },
  settings: {
    icon: IconSettings,
    section: 'administration',
    needs: 'panel_get_instance',
    says: ['settings'],
    load: async () => await import('./settings/page.tsx'),
  },
  audit: {
    icon: IconHistory,
    section: 'administration',
    needs: 'panel_list_audit_events',
    says: ['audit', 'export_menu'],
    load: async () => await import('./audit/page.tsx'),
  },
};
