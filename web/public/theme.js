// Before anything is drawn: the console would otherwise begin in the system's theme, and turn over once it is loaded.
document.documentElement.dataset.theme = localStorage.getItem('palabre:theme') ?? 'system';
