// Search in pages that a browser opens as files. There it reads no search_index.json and starts no worker: so the index
// comes as a script, and the worker's script runs in a frame.
var __search;
if (location.protocol === 'file:') {
  __search = { index: new Promise((resolve) => { window.receiveIndex = resolve; }) };
  const script = document.createElement('script');
  script.src = 'search/search_index.js';
  document.head.append(script);

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
      const worker = this.inside.document.createElement('script');
      worker.src = url;
      this.ready = new Promise((resolve) => { worker.onload = resolve; });
      this.inside.document.body.append(worker);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent('message', { data })));
    }
  };
}
