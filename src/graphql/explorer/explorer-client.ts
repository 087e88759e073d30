/**
 * The page's script. It is a file of its own because the page allows no inline scripts, and plain text because it runs
 * in the browser and is not compiled.
 */
export const explorerClient = `'use strict';
(() => {
  const root = document.getElementById('explorer');
  const settings = JSON.parse(root.dataset.settings);
  // Beside the page, whatever a proxy has before both.
  const graphqlPath = location.pathname.replace(/\\/explorer$/, '') + settings.graphqlPath;

  // A token in the fragment never reaches the server's log; it is taken out of the address bar at once.
  const takeToken = () => {
    const fragment = new URLSearchParams(location.hash.slice(1));
    if (!fragment.has('token')) return false;
    sessionStorage.setItem('palabre:token', fragment.get('token'));
    history.replaceState(null, '', location.pathname);
    return true;
  };
  takeToken();
  // Of a link that is opened where the page is already, the browser changes the fragment alone.
  addEventListener('hashchange', () => {
    if (takeToken()) location.reload();
  });

  const token = sessionStorage.getItem('palabre:token');
  document.getElementById('sign-in').hidden = Boolean(token);

  const authorizationOf = (headers) => {
    const name = Object.keys(headers || {}).find((key) => key.toLowerCase() === 'authorization');
    return name ? headers[name] : token ? 'Bearer ' + token : undefined;
  };

  let authorization = authorizationOf({});
  let lastTurnId = '';

  const client = graphqlWs.createClient({
    url: location.origin.replace(/^http/, 'ws') + graphqlPath,
    connectionParams: () => (authorization ? { authorization } : {}),
    retryAttempts: 0,
  });

  const send = GraphiQL.createFetcher({ url: graphqlPath, wsClient: client, enableIncrementalDelivery: false });

  const showEnd = () => {
    const editor = document.querySelector('.result-window .CodeMirror');
    if (editor) editor.CodeMirror.scrollTo(null, editor.CodeMirror.getScrollInfo().height);
  };

  // GraphiQL shows one result at a time. This gives it all that have come so far, and hands its stop button on at
  // once, which a generator that waits for the next event could not.
  const gathered = (results) => {
    const source = results[Symbol.asyncIterator]();
    const events = [];
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        const { done, value } = await source.next();
        if (done) return { done, value: undefined };
        events.push(value);
        requestAnimationFrame(showEnd);
        return { done: false, value: { events } };
      },
      return: () => source.return(),
    };
  };

  const isStream = (result) => result !== null && typeof result === 'object' && Symbol.asyncIterator in result;

  const remember = (result) => {
    const started = result && result.data && result.data.startTurn;
    if (started && started.turn) lastTurnId = started.turn.id;
    return result;
  };

  const fetcher = async (request, options) => {
    authorization = authorizationOf(options && options.headers);
    const headers = Object.fromEntries(
      Object.entries((options && options.headers) || {}).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    if (authorization) headers.authorization = authorization;
    const variables = request.variables || {};
    const filled = variables.turnId === '' ? { ...variables, turnId: lastTurnId } : variables;
    const result = await send({ ...request, variables: filled }, { ...options, headers });
    return isStream(result) ? gathered(result) : remember(result);
  };

  // GraphiQL 4 fills the variables of every default tab but the first.
  const isFirstVisit = localStorage.getItem('graphiql:tabState') === null;
  const headers = token ? JSON.stringify({ Authorization: 'Bearer ' + token }, null, 2) : undefined;
  ReactDOM.createRoot(root).render(
    React.createElement(GraphiQL, {
      fetcher,
      defaultTabs: settings.tabs.map((tab) => ({ ...tab, headers })),
      defaultHeaders: headers,
      variables: isFirstVisit ? settings.tabs[0].variables : undefined,
      defaultEditorToolsVisibility: 'variables',
      shouldPersistHeaders: false,
      showPersistHeadersSettings: false,
    }),
  );
})();
`;
