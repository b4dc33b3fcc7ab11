import { createCache, type Cache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { TemplateContent } from './template-content.ts';

/** The columns of a template that sending uses. */
export interface SendableTemplate extends TemplateContent {
  id: number;
  updated_at: Date;
  instance_id: number;
  is_published: boolean;
}

export interface TemplateCache {
  find(instanceId: number, id: number): Promise<SendableTemplate | undefined>;
}

const findTemplate: Statement = {
  name: 'templates.find_mail_template',
  text: `
    select id, instance_id, subject, html, text, is_published, updated_at
    from mail_templates where id = $1 and deleted_at is null`,
};

/** Larger ones are read for every send; the cache holds up to 500 of this size. */
const max_kept_length = 256 * 1024;

/**
 * Cached. Changes are notified at once and, if the notification is lost, noticed within `ttl_ms`; absence is cached
 * too.
 */
export function createTemplateCache(db: Queryable, notifications: Notifications): TemplateCache {
  const templates: Cache<number, SendableTemplate | undefined> = createCache({
    load: async (id: number) => (await db.query<SendableTemplate>(findTemplate, [id]))[0],
    ttl_ms: 5_000,
    max_entries: 500,
  });
  notifications.onGap(() => templates.clear());
  notifications.on('chasqui_changed', (payload) => {
    const [table, id] = payload.split(' ');
    if (table === 'mail_templates') templates.forget(Number(id));
  });

  return {
    async find(instanceId, id) {
      const template = await templates.get(id);
      if (template && lengthOf(template) > max_kept_length) templates.forget(id);
      return template?.instance_id === instanceId ? template : undefined;
    },
  };
}

function lengthOf({ html, text }: SendableTemplate): number {
  return (html?.length ?? 0) + (text?.length ?? 0);
}
