import {
  IconActivity,
  IconAt,
  IconForms,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMail,
  IconScale,
  IconServer,
  IconSettings,
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
import type { OperationId } from '../api/request.ts';
import type { Language } from '../shell/languages.ts';

export type Section = 'mail' | 'sending' | 'developers' | 'administration';

export interface PageEntry {
  /** Below `/panel/i/<slug>`; `$id` is what the page is about. */
  path: string;
  title: Record<Language, string>;
  /** In the navigation, below the heading of its section; a page without an icon is reached from others. */
  icon?: Icon;
  section?: Section;
  /** What it reads: the page is not there for roles that may not. */
  needs: OperationId;
  load: () => Promise<{ Page: FunctionComponent }>;
}

const entries = {
  overview: {
    path: '/',
    title: { en: 'Overview', es: 'Resumen' },
    icon: IconLayoutDashboard,
    needs: 'panel_get_instance',
    load: async () => await import('./overview/page.tsx'),
  },
  mails: {
    path: '/mails',
    title: { en: 'Mails', es: 'Correos' },
    icon: IconMail,
    section: 'mail',
    needs: 'panel_list_mails',
    load: async () => await import('./mails/page.tsx'),
  },
  mail: {
    path: '/mails/$id',
    title: { en: 'Mail', es: 'Correo' },
    needs: 'panel_get_mail',
    load: async () => await import('./mail/page.tsx'),
  },
  sandbox: {
    path: '/sandbox',
    title: { en: 'Sandbox inbox', es: 'Bandeja sandbox' },
    icon: IconInbox,
    section: 'mail',
    needs: 'panel_list_sandbox_messages',
    load: async () => await import('./sandbox/page.tsx'),
  },
  activity: {
    path: '/activity',
    title: { en: 'Activity', es: 'Actividad' },
    icon: IconActivity,
    section: 'mail',
    needs: 'panel_list_opens',
    load: async () => await import('./activity/page.tsx'),
  },
  queue: {
    path: '/queue',
    title: { en: 'Queue', es: 'Cola' },
    icon: IconStack2,
    section: 'mail',
    needs: 'panel_get_queue',
    load: async () => await import('./queue/page.tsx'),
  },
  domains: {
    path: '/domains',
    title: { en: 'Domains', es: 'Dominios' },
    icon: IconWorld,
    section: 'sending',
    needs: 'panel_list_domains',
    load: async () => await import('./domains/page.tsx'),
  },
  domain: {
    path: '/domains/$id',
    title: { en: 'Domain', es: 'Dominio' },
    needs: 'panel_get_domain',
    load: async () => await import('./domain/page.tsx'),
  },
  senders: {
    path: '/senders',
    title: { en: 'Senders', es: 'Remitentes' },
    icon: IconAt,
    section: 'sending',
    needs: 'panel_list_senders',
    load: async () => await import('./senders/page.tsx'),
  },
  templates: {
    path: '/templates',
    title: { en: 'Templates', es: 'Plantillas' },
    icon: IconTemplate,
    section: 'sending',
    needs: 'panel_list_templates',
    load: async () => await import('./templates/page.tsx'),
  },
  template: {
    path: '/templates/$id',
    title: { en: 'Template', es: 'Plantilla' },
    needs: 'panel_get_template',
    load: async () => await import('./template/page.tsx'),
  },
  suppressions: {
    path: '/suppressions',
    title: { en: 'Suppressions', es: 'Supresiones' },
    icon: IconUserCancel,
    section: 'sending',
    needs: 'panel_list_restrictions',
    load: async () => await import('./suppressions/page.tsx'),
  },
  consent: {
    path: '/consent',
    title: { en: 'Consent', es: 'Consentimiento' },
    icon: IconUserCheck,
    section: 'sending',
    needs: 'panel_list_consent_terms',
    load: async () => await import('./consent/page.tsx'),
  },
  consent_term: {
    path: '/consent/terms/$id',
    title: { en: 'Term', es: 'Término' },
    needs: 'panel_get_consent_term',
    load: async () => await import('./consent-term/page.tsx'),
  },
  consent_evidence: {
    path: '/consent/evidence',
    title: { en: 'Evidence', es: 'Evidencia' },
    needs: 'panel_get_consent_evidence',
    load: async () => await import('./consent-evidence/page.tsx'),
  },
  rights: {
    path: '/rights',
    title: { en: 'Rights of persons', es: 'Derechos de las personas' },
    icon: IconScale,
    section: 'administration',
    needs: 'panel_list_rights_requests',
    load: async () => await import('./rights/page.tsx'),
  },
  rights_request: {
    path: '/rights/$id',
    title: { en: 'Request', es: 'Solicitud' },
    needs: 'panel_get_rights_request',
    load: async () => await import('./rights-request/page.tsx'),
  },
  forms: {
    path: '/forms',
    title: { en: 'Forms', es: 'Formularios' },
    icon: IconForms,
    section: 'sending',
    needs: 'panel_list_forms',
    load: async () => await import('./forms/page.tsx'),
  },
  form: {
    path: '/forms/$id',
    title: { en: 'Form', es: 'Formulario' },
    needs: 'panel_get_form',
    load: async () => await import('./form/page.tsx'),
  },
  fields: {
    path: '/fields',
    title: { en: 'Fields', es: 'Campos' },
    icon: IconListDetails,
    section: 'sending',
    needs: 'panel_list_fields',
    load: async () => await import('./fields/page.tsx'),
  },
  webhooks: {
    path: '/webhooks',
    title: { en: 'Webhooks', es: 'Webhooks' },
    icon: IconWebhook,
    section: 'developers',
    needs: 'panel_list_webhooks',
    load: async () => await import('./webhooks/page.tsx'),
  },
  webhook: {
    path: '/webhooks/$id',
    title: { en: 'Webhook', es: 'Webhook' },
    needs: 'panel_get_webhook',
    load: async () => await import('./webhook/page.tsx'),
  },
  api_keys: {
    path: '/api-keys',
    title: { en: 'API keys', es: 'Claves de API' },
    icon: IconKey,
    section: 'developers',
    needs: 'panel_list_api_keys',
    load: async () => await import('./api-keys/page.tsx'),
  },
  smtp_credentials: {
    path: '/smtp-credentials',
    title: { en: 'SMTP credentials', es: 'Credenciales SMTP' },
    icon: IconServer,
    section: 'developers',
    needs: 'panel_list_smtp_credentials',
    load: async () => await import('./smtp-credentials/page.tsx'),
  },
  team: {
    path: '/team',
    title: { en: 'Team', es: 'Equipo' },
    icon: IconUsers,
    section: 'administration',
    needs: 'panel_list_members',
    load: async () => await import('./team/page.tsx'),
  },
  settings: {
    path: '/settings',
    title: { en: 'Settings', es: 'Ajustes' },
    icon: IconSettings,
    section: 'administration',
    needs: 'panel_get_instance',
    load: async () => await import('./settings/page.tsx'),
  },
  audit: {
    path: '/audit',
    title: { en: 'Audit', es: 'Auditoría' },
    icon: IconHistory,
    section: 'administration',
    needs: 'panel_list_audit_events',
    load: async () => await import('./audit/page.tsx'),
  },
} satisfies Record<string, PageEntry>;

export type PageName = keyof typeof entries;
/** Every page of an instance, in the order of the navigation. */
export const pages: Record<PageName, PageEntry> = entries;
