import { reportOutage } from './connection.ts';

const reloaded = 'chasqui-reloaded-at';
const reloadPauseMs = 10_000;

/**
 * Loads the code of a page. Where it does not come, the network is gone or a new release has replaced the file: it is
 * asked for again once the service answers, and then the whole page is, which names the files of the new release.
 */
export function retryingLoad<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch {
      // Not until any answer: one that was under way when the network went would do, and the page be lost to a reload.
      await reportOutage('offline');
    }
    return await load().catch(async (error: unknown) => {
      if (Date.now() - Number(sessionStorage.getItem(reloaded)) < reloadPauseMs) throw error;
      sessionStorage.setItem(reloaded, String(Date.now()));
      location.reload();
      return await new Promise<never>(() => undefined);
    });
  };
}
