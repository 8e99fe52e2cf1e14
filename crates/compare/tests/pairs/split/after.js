const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class Place{constructor(i){this.city=words(1);this.lat=i*1.1;this.lon=i*1.3}}
class Visit{constructor(i){this.place=new Place(i);this.at=1.7e12+i*1000.5;this.n=i}}
out.v=[];for(let i=0;i<N;i++)out.v.push(new Visit(i));
